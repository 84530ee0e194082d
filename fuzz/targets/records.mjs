// What is kept in a store that somebody else writes to: values changed by a bit, cut, moved to another name, put back from before, or
// made up. What cannot be read is refused; what was never written is never read.
import { createServer, memoryStore } from 'beckon'
import { sealedStore } from 'beckon/store'
import { callerOf } from '../in-process.mjs'
import { finding, judgeRpc } from '../judge.mjs'
import { garbled, garbledBytes, mutated } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */
/** @typedef {import('beckon/store').Store} Store */

const key = 'a key for fuzzing, and nothing else'
const accept = { action: 'accept', content: {} }
const record = {
  by: 'ada',
  answers: { name: 'Ada', tags: ['a', 'b'] },
  at: 1_700_000_000_000,
  steps: [{ id: 's', value: null }],
}

/** @type {Target} */
export const records = {
  share: 25,
  atOnce: 1,
  honestEvery: 2_000,
  async open() {
    const raw = memoryStore()
    const store = sealedStore(raw, key)
    const names = ['a', 'b', 'c'].map(name => `fuzz/${name}`)
    for (const name of names) {
      await store.set(name, { ...record, name })
      await store.append(`${name}/log`, [
        { ...record, name },
        { name, last: true },
      ])
    }
    const genuine = new Map(
      await Promise.all(names.map(async name => /** @type {const} */ ([name, String((await raw.get(name))?.value)]))),
    )

    return {
      async attack(random) {
        const name = random.pick(names)
        const was = genuine.get(name) ?? ''
        const value = tampered(random, was, genuine.get(random.pick(names)) ?? '')
        if (value === was) return
        // Most of what is written ends at the seal, so that most is tried there.
        if (random.next() < 0.99) await readBack({ raw, store }, name, value)
        else await callOver(random)
      },
      async honest() {
        for (const name of names) {
          await store.set(name, { ...record, name })
          const read = await store.get(name)
          if (JSON.stringify(read?.value) !== JSON.stringify({ ...record, name })) throw new Error(JSON.stringify(read))
          const log = await store.read(`${name}/log`)
          if (JSON.stringify(log[1]?.value) !== JSON.stringify({ name, last: true }))
            throw new Error(JSON.stringify(log))
          genuine.set(name, String((await raw.get(name))?.value))
        }
      },
    }
  },
}

/**
 * @param {{ raw: Store, store: Store }} stores
 * @param {string} name
 * @param {import('beckon/store').JsonValue} value
 */
async function readBack({ raw, store }, name, value) {
  await raw.set(name, value)
  try {
    const read = await store.get(name)
    throw finding('what nobody sealed was read', JSON.stringify(read), value)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'StateRejectedError') throw error
  }
}

/**
 * One call over a store in which a value was changed after it was asked, on a node that knows nothing of it but what is there.
 * @param {Random} random
 */
async function callOver(random) {
  const raw = { ...memoryStore(), shared: true }
  /** @type {string[]} */
  const written = []
  const told = telling(raw, name => written.push(name))
  let paid = 0
  const node = () => {
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      keys: key,
      store: told,
      person: 'unchecked',
      identify: () => 'ada',
    })
    server.tool('pay', { task: 'optional' }, async (_input, ctx) => {
      const [first, second] = [await ctx.confirm('Pay?'), await ctx.confirm('Sure?')]
      if (!first || !second) return 'nothing paid'
      await ctx.step('pay', () => void paid++)
      return 'paid'
    })
    return server
  }
  const [one, other] = [node(), node()]
  try {
    const asked = await callerOf(one, 'ada').asked('pay')
    const again = await callerOf(one, 'ada').result('tools/call', asked.answered(accept))
    const [id = ''] = Object.keys(again.inputRequests ?? {})
    const name = random.pick(written)
    const kept = await raw.get(name)
    if (kept !== undefined) await raw.set(name, tampered(random, String(kept.value), key))
    else {
      const log = await raw.read(name)
      await raw.erase(name)
      await raw.append(
        name,
        log.map(({ value }) => (random.next() < 0.5 ? value : tampered(random, String(value), key))),
      )
    }
    const params = { name: 'pay', arguments: {}, requestState: again.requestState, inputResponses: { [id]: accept } }
    const reply = await callerOf(other, 'ada').send('tools/call', params)
    judgeRpc(reply, { name, reply })
    if (paid > 1) throw finding('it was paid twice', reply.text, name)
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

/** @param {Store} store @param {(name: string) => void} tell @returns {Store} */
function telling(store, tell) {
  return {
    ...store,
    set(name, ...rest) {
      tell(name)
      return store.set(name, ...rest)
    },
    compareAndSet(name, ...rest) {
      tell(name)
      return store.compareAndSet(name, ...rest)
    },
    append(name, ...rest) {
      tell(name)
      return store.append(name, ...rest)
    },
  }
}

/**
 * @param {Random} random
 * @param {string} value
 * @param {string} other
 * @returns {import('beckon/store').JsonValue}
 */
function tampered(random, value, other) {
  switch (random.between(0, 5)) {
    case 0:
      return garbled(random, value)
    case 1:
      return other
    case 2:
      return /** @type {import('beckon/store').JsonValue} */ (mutated(random, record))
    case 3:
      return value.slice(0, random.between(0, value.length)) + other.slice(random.between(0, other.length))
    default:
      return garbledBytes(random, Buffer.from(value, 'base64url')).toString('base64url')
  }
}
