// The OpenAI Agents SDK, on its own scripted model.
import { decideInterruptions } from '@beckon/host/openai-agents'
import { Agent as OpenAiAgent, RunState, run, setTracingDisabled, tool } from '@openai/agents-core'
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing'
import { z } from 'zod'
import type { Agent } from './work.js'

setTracingDisabled(true)

export const openAiAgents: Agent = async ({ approve, kept, erase }) => {
  const eraseTable = tool({
    name: 'erase_table',
    description: 'Erases a table.',
    parameters: z.object({ table: z.string() }),
    needsApproval: true,
    execute: async ({ table }) => erase(table),
  })
  const model = new ScriptedModel(kept.has('state') ? [done] : [call, done])
  const agent = new OpenAiAgent({ name: 'cleaner', model, tools: [eraseTable] })
  const before = kept.get('state')
  let state =
    before === undefined
      ? (await run<typeof agent, unknown>(agent, 'Erase the orders.')).state
      : await RunState.fromString<unknown, typeof agent>(agent, before)
  kept.set('state', state.toString())
  while (await decideInterruptions(state, approve)) state = (await run(agent, state)).state
  return JSON.stringify(model.calls.at(-1)?.request.input)
}

const call = modelResponder(() => [functionCall('erase_table', { table: 'orders' }, { callId: 'call-1' })])
const done = modelResponder(() => [assistantMessage('Done.')])
