import { answer, check, openDoor } from './door.mjs'

/** @typedef {import('../contender.mjs').Contender} Contender */
/** @typedef {import('../../../../packages/server/src/index.js').AskDesk} AskDesk */

/** A desk where someone answers before anyone could look: what is left is the server's own part. @type {AskDesk} */
const desk = {
  async open(_subject, { id }) {
    return { id, link: 'https://desk.example/', outcome: async () => answer, async withdraw() {} }
  },
}

/**
 * A tool whose client cannot ask, so that its ask is on a desk, and the request waits.
 * @param {import('./door.mjs').Internals} internals
 * @param {import('beckon/store').Store} store
 * @returns {Contender}
 */
export function deskCalls(internals, store) {
  const door = openDoor(internals, {
    name: 'desk-calls',
    store,
    desk,
    wait: 'hold',
    capabilities: {},
    principal: 'ada',
  })
  let calls = 0
  return {
    async cycle() {
      // The same arguments again would go on with the same call.
      check(await door.send(door.jobOf({ call: ++calls })))
    },
    close: () => door.close(),
  }
}
