import { memoryStore } from 'beckon'
import { sealedStore } from 'beckon/store'
import { expect, it } from 'vitest'
import { hurtStore } from './hurt-store.mjs'

/** @param {import('./hurt-store.mjs').Hurt[]} hurts */
function hurt(hurts) {
  const plain = memoryStore()
  /** @type {string[]} */
  const happened = []
  const options = {
    hurts,
    onLost: (/** @type {string} */ what) => happened.push(what),
    onOperation: () => {},
    die: () => happened.push('died'),
  }
  return { plain, happened, store: sealedStore(hurtStore(plain, options)) }
}

/** @param {string} type */
const line = type => ({ v: 1, w: 'w', e: [{ type }] })
const log = 'desk/session/s'

it('loses the acknowledgement of the append that is meant, which is written', async () => {
  const { plain, happened, store } = hurt([{ what: 'lose', kind: 'askEnded', lateMs: 0 }])
  await store.append(log, [line('asked')])
  await expect(store.append(log, [line('askEnded')])).rejects.toThrow('does not answer')
  expect(await plain.read(log)).toHaveLength(2)
  expect(happened).toEqual([`append askEnded to ${log}`])
  await store.append(log, [line('askEnded')])
})

it('ends its process between the two writes of the index', async () => {
  const { plain, happened, store } = hurt([
    { what: 'crash', after: 'put' },
    { what: 'crash', after: 'append' },
  ])
  await store.put('desk/over/anyone', 's/i', 1)
  expect(happened).toEqual([])
  await store.put('desk/open/anyone', 's/i', 1)
  expect(happened).toEqual(['died'])
  expect(await plain.range('desk/open/anyone', { limit: 1 })).toHaveLength(1)
  await store.append(log, [line('asked')])
  expect(happened).toEqual(['died'])
  await store.append(log, [line('askEnded')])
  expect(happened).toEqual(['died', 'died'])
})
