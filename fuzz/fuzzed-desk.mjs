// A desk on a port of this machine with people, servers and rules. Its clock runs ahead with every input, so that what is refused for
// being too much is refused for that alone, and not in place of what an input is about.
import { bearerAccess, createDesk } from '@beckon/desk'
import { systemClock } from 'beckon'

export const tokens = {
  honest: 'a-token-of-honest-here',
  mallory: 'a-token-of-mallory-here',
  admin: 'a-token-of-admin-here',
}
export const serverToken = 'a-token-of-the-shop'
const msAnInput = 20

/** @param {import('./driver.mjs').Findings} findings */
export async function fuzzedDesk(findings) {
  let ahead = 0
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const desk = createDesk({
    clock,
    servers: { shop: serverToken },
    roles: { admin: { principals: ['admin'] } },
    access: bearerAccess({
      tokens: token => {
        const principal = Object.entries(tokens).find(([, known]) => known === token)?.[0]
        return principal === undefined ? undefined : { principal, groups: ['staff'] }
      },
    }),
    history: { maxCalls: 50 },
    onError: error => findings(`onError: ${error instanceof Error ? error.stack : String(error)}`),
  })
  const listening = await desk.listen()
  let opened = 0
  return {
    desk,
    url: listening.url,
    hurry() {
      ahead += msAnInput
    },
    /**
     * Asks somebody, and gives where it is and how it ends.
     * @param {string} principal
     */
    async ask(principal) {
      const call = `${principal}-${++opened}`
      const request = { id: 'r', message: `Which ${opened}?`, form }
      const asked = await desk.open(
        { server: 'shop', call, title: 'Order', tool: 'order', input: { item: opened } },
        request,
        { expiresAt: clock.now() + 3_600_000, policy: { audience: { principals: [principal] } } },
      )
      return { session: `call-${call}`, id: `${call}.r`, asked }
    },
  }
}

/** @type {import('@beckon/core').Form} */
const form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', maxLength: 80 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    plan: { type: 'string', enum: ['free', 'pro'] },
    isNew: { type: 'boolean' },
  },
  required: ['name'],
}
