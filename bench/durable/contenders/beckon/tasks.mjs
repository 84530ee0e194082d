import { setImmediate as turn } from 'node:timers/promises'
import { answersTo, check, openDoor } from './door.mjs'

/** @typedef {import('../contender.mjs').Contender} Contender */

/**
 * A tool that runs as a task: the client asks after it, and answers what it asks.
 * @param {import('./door.mjs').Internals} internals
 * @param {import('beckon/store').Store} store
 * @returns {Contender & { readonly looks: number }} with how often the client has looked, all in all
 */
export function tasks(internals, store) {
  const door = openDoor(internals, {
    store,
    tool: { task: 'required' },
    capabilities: { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } },
  })
  const job = door.jobOf()
  const { tasks } = door.engine
  let looks = 0

  /**
   * Looks until a task is in this state, and leaves the event loop to others in between.
   * @param {string} id
   * @param {string} status
   */
  async function lookFor(id, status) {
    for (;;) {
      looks++
      const task = await tasks.get(id, undefined)
      if (task.status === status) return task
      if (task.status !== 'working') throw new Error(`The task is ${task.status}.`)
      await turn()
    }
  }

  return {
    get looks() {
      return looks
    },
    async cycle() {
      const taskId = String((await door.send(job)).taskId)
      const { inputRequests } = await lookFor(taskId, 'input_required')
      await tasks.update(taskId, undefined, answersTo(inputRequests))
      const { result } = await lookFor(taskId, 'completed')
      check(/** @type {Record<string, unknown>} */ (result))
    },
    close: () => door.close(),
  }
}
