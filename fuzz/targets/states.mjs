// Sealed states: what a client hands back is changed by a bit, cut, spliced from two, sealed by another key or for another purpose.
// Nothing may be paid but by the word of who was asked.
import { createServer } from 'beckon'
import { built } from '../../bench/built.mjs'
import { callerOf } from '../in-process.mjs'
import { finding, judgeRpc } from '../judge.mjs'
import { garbled, garbledBytes, mutated } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */

/** @type {typeof import('../../packages/server/src/crypto/seal.js')} */
const { createSeal } = await built('server/dist/crypto/seal.js')

const key = 'a key for fuzzing, and nothing else'
const accept = { action: 'accept', content: {} }

/** @type {Target} */
export const states = {
  share: 50,
  atOnce: 1,
  honestEvery: 2_000,
  async open() {
    /** @type {string[]} */
    const paid = []
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      keys: key,
      person: 'unchecked',
      identify: request => request.headers.get('x-user') ?? undefined,
    })
    server.tool(
      'pay',
      { input: { type: 'object', properties: { amount: { type: 'number' } } } },
      async ({ amount }, ctx) => {
        if (!(await ctx.confirm(`Pay ${amount}?`))) return 'nothing paid'
        await ctx.step('pay', () => void paid.push(`${ctx.principal} ${amount}`))
        return `paid ${amount}`
      },
    )
    const [honest, mallory] = [callerOf(server, 'honest'), callerOf(server, 'mallory')]
    const seal = createSeal([key], 'request state of shop')
    const [other, foreign] = [
      createSeal([key], 'store'),
      createSeal(['another key than that one'], 'request state of shop'),
    ]
    let first = await honest.asked('pay', { amount: 5 })
    let second = await honest.asked('pay', { amount: 7 })

    return {
      async attack(random) {
        const state = forged(random, [first.state, second.state], [other, foreign])
        if (state === first.state || state === second.state) return
        // Most of what is forged ends at the seal, so that most is tried there.
        if (random.next() < 0.97) {
          try {
            seal.open(state)
          } catch (error) {
            if (error instanceof Error && error.name === 'StateRejectedError') return
            throw finding('the seal threw something else', String(error), state)
          }
          throw finding('the seal opened what it did not make', state, [first.state, second.state])
        }
        const as = random.next() < 0.5 ? honest : mallory
        const params = {
          ...first.answered(accept),
          requestState: random.next() < 0.9 ? state : mutated(random, { state }),
        }
        const reply = await as.send('tools/call', params)
        judgeRpc(reply, params)
        if (paid.length > 0) throw finding('it was paid', paid.join(), params)
      },
      async honest(nth) {
        const asked = await honest.asked('pay', { amount: nth })
        const { content } = await honest.result('tools/call', asked.answered(accept))
        if (content[0].text !== `paid ${nth}` || paid.splice(0).join() !== `honest ${nth}`)
          throw new Error(JSON.stringify(content))
        first = await honest.asked('pay', { amount: 5 })
        second = await honest.asked('pay', { amount: 7 })
      },
      close: () => server.close(),
    }
  },
}

/**
 * @param {Random} random
 * @param {[string, string]} genuine
 * @param {import('../../packages/server/src/crypto/seal.js').Seal[]} others
 */
function forged(random, [one, two], others) {
  const bytes = Buffer.from(one, 'base64url')
  switch (random.between(0, 7)) {
    case 0:
      return garbled(random, one)
    case 1: {
      const at = random.between(1, Math.min(one.length, two.length))
      return one.slice(0, at) + two.slice(at)
    }
    case 2:
      return random
        .pick(others)
        .seal([2, Date.now(), 3_600_000, 'c', 'n', 0, 'honest', 'tools/call', 'pay', 'd', '1.0.0', 0, []])
    case 3:
      return `${one}${random.pick(['=', '==', ' ', '\n', 'A', '+', '/'])}`
    case 4:
      return one.replaceAll('-', '+').replaceAll('_', '/')
    case 5:
      return Buffer.from(JSON.stringify(mutated(random, [2, 1, 'x', {}]))).toString('base64url')
    default:
      return garbledBytes(random, bytes).toString('base64url')
  }
}
