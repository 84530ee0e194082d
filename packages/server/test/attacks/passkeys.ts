// Answers that take a passkey, and statements of them, by somebody who has neither.

import { type Quirks, TestAuthenticator } from '../../../../test/authenticator.mjs'
import { createServer } from '../../src/index.js'
import { PeoplePasskeys } from '../../src/passkeys/people-passkeys.js'
import { relyingPartyAt } from '../../src/passkeys/relying-party.js'
import { ReceiptKeys, verifyReceipt } from '../../src/receipts/index.js'
import { memoryStore } from '../../src/store/index.js'
import { createTestClient, createTestClock } from '../../src/test/index.js'
import type { Family } from './attack.js'

const origin = 'https://bank.example'
const pay = (amount: number) => ({ kind: 'ask', about: { ask: 'call.1', answer: { amount } } }) as const

/** Alice with a passkey, and what her device says to a payment of 5. */
async function scene() {
  const clock = createTestClock()
  const passkeys = new PeoplePasskeys({
    store: memoryStore({ clock }),
    clock,
    relyingParty: () => relyingPartyAt(origin, 'Bank', {}),
  })
  const enrol = async (who: string) => {
    const device = new TestAuthenticator(origin)
    const options = await passkeys.enrolOptions(who)
    if (options === undefined) throw new Error('No options.')
    const added = await passkeys.enrol(who, { create: device.create(options.create) })
    if (!added.isVerified) throw new Error(added.message)
    return device
  }
  const alice = await enrol('alice')
  const confirm = async (device = alice, quirks: Quirks = {}) => {
    const options = await passkeys.ask('alice', pay(5))
    if (options === undefined) throw new Error('No options.')
    return device.get(options, quirks)
  }
  return { passkeys, enrol, alice, confirm }
}

type Result = Awaited<ReturnType<PeoplePasskeys['verify']>>

/** What someone got; a yes is what they must not get. */
function refused(result: Result): string {
  if (result.isVerified) throw new Error('It counted.')
  return `refused: ${result.message}`
}

async function receipt(change: (jws: string, keys: ReceiptKeys) => string | Promise<string>): Promise<string> {
  const keys = new ReceiptKeys({ store: memoryStore(), clock: createTestClock() })
  await keys.ready()
  const checked = await verifyReceipt(await change(keys.sign(paid), keys), await keys.jwks())
  if (checked.isValid) throw new Error('It counted.')
  return checked.message
}

const paid = {
  iss: origin,
  at: 0,
  jti: 'call.1',
  server: 'bank',
  tool: 'pay',
  shown: { message: 'Pay 5?' },
  answer: {},
  action: 'accept',
  by: [{ principal: 'alice', method: 'passkey' }],
  where: 'page',
} as const

export const passkeyAttacks: Family = {
  family: 'An answer that takes a passkey',
  attacks: [
    {
      attack: 'a client that shows forms accepts such a confirm by itself',
      async run() {
        const server = createServer({ name: 'bank', version: '1.0.0' })
        server.tool('pay', { person: 'verified' }, async (_input, ctx) => {
          const { action, why } = await ctx.confirm.outcome('Pay 5?')
          return `${action}, ${why}`
        })
        let shown = 0
        const client = createTestClient(server, {
          answer() {
            shown++
            return 'accept'
          },
        })
        const { content } = await client.callTool('pay')
        await client.close()
        await server.close()
        if (shown > 0 || content[0]?.text !== 'cancel, no-capability') throw new Error(content[0]?.text)
        return 'it is never shown the question; the tool is told `cancel`, `no-capability`'
      },
    },
    {
      attack: 'what Alice’s device said is sent twice',
      async run() {
        const { passkeys, confirm } = await scene()
        const said = await confirm()
        if (!(await passkeys.verify('alice', pay(5), said)).isVerified) throw new Error('It did not count at all.')
        return refused(await passkeys.verify('alice', pay(5), said))
      },
    },
    {
      attack: 'it is sent with another amount',
      async run() {
        const { passkeys, confirm } = await scene()
        return refused(await passkeys.verify('alice', pay(500), await confirm()))
      },
    },
    {
      attack: 'Bob confirms for Alice, with a passkey of his own',
      async run() {
        const { passkeys, confirm, enrol } = await scene()
        return refused(await passkeys.verify('alice', pay(5), await confirm(await enrol('bob'))))
      },
    },
    {
      attack: 'a page that looks like ours has her device confirm',
      async run() {
        const { passkeys, confirm, alice } = await scene()
        return refused(
          await passkeys.verify('alice', pay(5), await confirm(alice, { origin: 'https://bank.example.net' })),
        )
      },
    },
    {
      attack: 'somebody has her device, and not her fingerprint (no user verification)',
      async run() {
        const { passkeys, confirm, alice } = await scene()
        return refused(await passkeys.verify('alice', pay(5), await confirm(alice, { isVerified: false })))
      },
    },
    {
      attack: 'somebody has a copy of her device, which counts for itself',
      async run() {
        const { passkeys, confirm, alice } = await scene()
        await passkeys.verify('alice', pay(5), await confirm(alice, { counter: 9 }))
        return refused(await passkeys.verify('alice', pay(5), await confirm(alice, { counter: 9 })))
      },
    },
    {
      attack: 'somebody who stole her session adds a passkey of their own',
      async run() {
        const { passkeys } = await scene()
        const thief = new TestAuthenticator(origin)
        const options = await passkeys.enrolOptions('alice')
        if (options?.get === undefined) throw new Error('No options.')
        const [create, get] = [thief.create(options.create), thief.get(options.get)]
        return refused(await passkeys.enrol('alice', { create, get }))
      },
    },
    {
      attack: 'a receipt is changed to say another name',
      run: () =>
        receipt(jws => {
          const [header, payload = '', signature] = jws.split('.')
          const said = Buffer.from(payload, 'base64url').toString().replace('alice', 'mallory')
          return [header, Buffer.from(said).toString('base64url'), signature].join('.')
        }),
    },
    {
      attack: 'a receipt is signed with a key of the forger’s own',
      run: () =>
        receipt(async () => {
          const own = new ReceiptKeys({ store: memoryStore(), clock: createTestClock() })
          await own.ready()
          return own.sign(paid)
        }),
    },
  ],
}
