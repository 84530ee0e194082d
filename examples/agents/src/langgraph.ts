// LangGraph, on LangChain's own fake model.
import type { Approval } from '@beckon/host/approvals'
import { type ApprovalRequest, approveInterrupts } from '@beckon/host/langgraph'
import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import type { Agent, Work } from './work.js'

/** Stands for a database: it outlives the graphs that use it. */
const savers = new WeakMap<Map<string, string>, MemorySaver>()

export const langGraph: Agent = async ({ kept, erase, approve }) => {
  const checkpointer = savers.get(kept) ?? new MemorySaver()
  savers.set(kept, checkpointer)
  const { graph, model } = createGraph(erase, checkpointer)
  const config = { configurable: { thread_id: 'thread-1' } }
  if (!kept.has('begun')) {
    kept.set('begun', 'yes')
    await graph.invoke({ messages: [{ role: 'user', content: 'Erase the orders.' }] }, config)
  }
  for (;;) {
    const { tasks } = await graph.getState(config)
    const interrupts = tasks.flatMap(task => task.interrupts)
    const resume = await approveInterrupts(interrupts, approve)
    if (resume === undefined) return JSON.stringify(model.calls.at(-1)?.messages)
    await graph.invoke(new Command({ resume }), config)
  }
}

function createGraph(erase: Work['erase'], checkpointer: MemorySaver) {
  const think = (messages: readonly { getType(): string }[]) => {
    if (messages.some(message => message.getType() === 'tool')) return new AIMessage('Done.')
    return new AIMessage({
      content: '',
      tool_calls: [{ id: 'call-1', name: 'erase_table', args: { table: 'orders' } }],
    })
  }
  const model = fakeModel().respond(think).respond(think)
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', ({ messages }) => {
      const [call] = (messages.at(-1) as AIMessage).tool_calls ?? []
      if (call === undefined) return { messages: [] }
      const wanted: ApprovalRequest = { id: call.id ?? '', tool: call.name, input: call.args, destructive: true }
      const approval: Approval = interrupt(wanted)
      const content = approval.approved ? erase(String(call.args.table)) : approval.reason
      return { messages: [new ToolMessage({ content, tool_call_id: call.id ?? '' })] }
    })
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer })
  return { graph, model }
}
