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
  const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const door = openDoor(internals, { name: 'tasks', store, tool: { task: 'required' }, capabilities })
  const job = door.jobOf()
  /**
   * @param {'tasks/get' | 'tasks/update'} method
   * @param {string} taskId
   * @param {Record<string, unknown>} [inputResponses]
   */
  const about = (method, taskId, inputResponses) =>
    door.engine.tasks.answer({ method, params: { taskId }, capabilities, principal: undefined, inputResponses })
  let looks = 0

  /**
   * Looks until a task is in this state, and leaves the event loop to others in between.
   * @param {string} id
   * @param {string} status
   */
  async function lookFor(id, status) {
    for (;;) {
      looks++
      const task = await about('tasks/get', id)
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
      await about('tasks/update', taskId, answersTo(inputRequests))
      const { result } = await lookFor(taskId, 'completed')
      check(/** @type {Record<string, unknown>} */ (result))
    },
    close: () => door.close(),
  }
}
