import { randomUUID } from 'node:crypto'
import { peer } from '../../peers/peer.js'

/** @typedef {import('./contender.mjs').Contender} Contender */

/**
 * A graph with one node that interrupts and is resumed with the answer, as the documentation of LangGraph has it.
 * @param {string} url
 * @returns {Promise<Contender>}
 */
export async function langGraph(url) {
  const { Annotation, Command, END, interrupt, START, StateGraph } = await peer('@langchain/langgraph')
  const { PostgresSaver } = await peer('@langchain/langgraph-checkpoint-postgres')
  const checkpointer = PostgresSaver.fromConnString(url, { schema: 'langgraph' })
  await checkpointer.setup()
  const graph = new StateGraph(Annotation.Root({ answer: Annotation() }))
    .addNode('ask', () => ({ answer: interrupt('Which color?') }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer })
  return {
    async cycle() {
      const config = { configurable: { thread_id: randomUUID() } }
      await graph.invoke({}, config)
      const { answer } = await graph.invoke(new Command({ resume: 'green' }), config)
      if (answer !== 'green') throw new Error('The graph ended otherwise.')
    },
    close: () => checkpointer.end(),
  }
}
