// R6: who is asked, what is shown beside the words and what a widget is given are part of a question. A replay that has another of
// them asks anew.
import { formOf } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { createNode, type Handler, loud, open } from '../../test/round-node.js'
import { type Ask, replyOf } from '../call/ask.js'
import { memoryStore } from '../store/index.js'

const timeoutMs = 3_600_000
const form = formOf({ type: 'object', properties: { amount: { type: 'string' } } })
const plain = { kind: 'form', message: 'How much?', form } as const satisfies Ask

/** What a form has beside its words. */
type Beside = Partial<Pick<Extract<Ask, { kind: 'form' }>, 'policy' | 'widget' | 'show'>>

/** The same call, in a process whose handler asks the one and then in one whose handler asks the other. */
async function replayed(asks: readonly [Ask, Ask]) {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true }
  const asking =
    (ask: Ask): Handler =>
    async call =>
      replyOf(await call.ask(ask, { timeoutMs, wire: 'rounds' }), 'ask')
  const [a, b] = [createNode(asking(asks[0]), { store }), createNode(asking(asks[1]), { store })]
  const first = await a.send()
  return { first: open(first), second: await b.send(loud(first)), b }
}

const changes: readonly { what: string; from: Beside; to: Beside }[] = [
  { what: 'an audience', from: {}, to: { policy: { audience: { groups: ['finance'] }, quorum: 1 } } },
  {
    what: 'another audience',
    from: { policy: { audience: { groups: ['sales'] }, quorum: 1 } },
    to: { policy: { audience: { groups: ['finance'] }, quorum: 1 } },
  },
  {
    what: 'more who have to accept',
    from: { policy: { audience: { groups: ['finance'] }, quorum: 1 } },
    to: { policy: { audience: { groups: ['finance'] }, quorum: 2 } },
  },
  { what: 'no audience any more', from: { policy: { audience: { groups: ['finance'] }, quorum: 1 } }, to: {} },
  { what: 'a widget', from: {}, to: { widget: { name: 'rows', data: [1] } } },
  {
    what: 'other data for its widget',
    from: { widget: { name: 'rows', data: [1] } },
    to: { widget: { name: 'rows', data: [2] } },
  },
  {
    what: 'another widget',
    from: { widget: { name: 'rows', data: [1] } },
    to: { widget: { name: 'cells', data: [1] } },
  },
  { what: 'something shown beside it', from: {}, to: { show: [{ kind: 'code', text: 'rm -rf' }] } },
  {
    what: 'something else shown beside it',
    from: { show: [{ kind: 'code', text: 'ls' }] },
    to: { show: [{ kind: 'code', text: 'rm -rf' }] },
  },
]

describe('R6: a form with the same words', () => {
  it.each(changes)('is asked anew on replay with $what', async ({ from, to }) => {
    const { first, second, b } = await replayed([
      { ...plain, ...from },
      { ...plain, ...to },
    ])
    const again = open(second)
    expect(again.messages).toEqual(['How much?'])
    expect(again.ids).not.toEqual(first.ids)
    expect(await b.send(loud(second))).toMatchObject({ kind: 'finished' })
  })

  it.each(changes)('is answered by what the person said where nothing has changed: $to', async ({ to }) => {
    const { second } = await replayed([
      { ...plain, ...to },
      { ...plain, ...structuredClone(to) },
    ])
    expect(second).toMatchObject({ kind: 'finished', result: { outcome: { content: 'HOW MUCH?' } } })
  })
})
