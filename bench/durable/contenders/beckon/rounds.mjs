import { answersTo, check, openDoor } from './door.mjs'

/** @typedef {import('../contender.mjs').Contender} Contender */

/**
 * A tool that asks, in rounds: the client brings the answer with the call.
 * @param {import('./door.mjs').Internals} internals
 * @param {import('beckon/store').Store} store
 * @returns {Contender}
 */
export function rounds(internals, store) {
  const door = openDoor(internals, { name: 'rounds', store, capabilities: { elicitation: { form: {} } } })
  const job = door.jobOf()
  return {
    async cycle() {
      const { inputRequests, requestState } = await door.send(job)
      check(await door.send(job, { requestState: String(requestState), inputResponses: answersTo(inputRequests) }))
    },
    close: () => door.close(),
  }
}
