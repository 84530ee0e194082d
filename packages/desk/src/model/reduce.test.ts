import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play, scripts } from '../../test/session-script.js'
import type { SessionEvent } from './events.js'
import { maxRemembered, reduce } from './reduce.js'
import type { Session } from './session.js'
import { decodeSession, encodeSession } from './snapshot.js'

const created: SessionEvent = { type: 'created', at: 1, id: 's', title: 'S', server: 'shop' }
const start = (turn = 't'): SessionEvent => ({ type: 'turnStarted', at: 2, turn, message: { text: 'go' } })
const asked = (id: string, instance = id): SessionEvent => ({
  type: 'asked',
  at: 3,
  request: { id, message: 'Sure?' },
  policy: { expiresAt: 10 },
  digest: 'd',
  bytes: 0,
  instance,
  node: 'n',
})
const after = (...events: SessionEvent[]) => events.reduce(reduce, undefined as Session | undefined)

/** What is in a session, the order of its asks with it. */
function contentOf(session: Session | undefined): unknown {
  return session && JSON.parse(JSON.stringify({ ...session, open: [...session.open] }))
}

describe('the reducer', () => {
  it('remembers the last of what ended, in number and in bytes, and a few however long they are', () => {
    const end = (ask: string, answer = ''): SessionEvent => ({
      type: 'askEnded',
      at: 4,
      ask,
      response: 'accept',
      answers: { q: { state: 'submitted', value: { kind: 'text', value: answer } } },
    })
    const remembered = (count: number, answer: string) => {
      const names = Array.from({ length: count }, (_, index) => `a${index}`)
      const ended = after(created, start(), ...names.flatMap(name => [asked(name), end(name, answer)]))?.ended ?? []
      expect(ended.at(-1)?.id).toBe(names.at(-1))
      return ended.length
    }
    expect(remembered(250, '')).toBe(maxRemembered)
    expect(remembered(100, 'x'.repeat(50_000))).toBe(20)
    expect(remembered(100, 'x'.repeat(500_000))).toBe(10)
    const said = (turn: string): SessionEvent[] => [
      { type: 'turnStarted', at: 2, turn, message: { text: 'x'.repeat(50_000) } },
      { type: 'turnEnded', at: 3, turn, state: 'complete' },
    ]
    expect(after(created, ...Array.from({ length: 100 }, (_, index) => said(`t${index}`)).flat())?.turns).toHaveLength(
      20,
    )
  })

  it('changes none of its arguments', () => {
    fc.assert(
      fc.property(scripts(), steps => {
        for (const { event, before } of play(steps).happened) {
          const args = [contentOf(before), JSON.stringify(event)]
          reduce(before, event)
          expect(isDeepStrictEqual([contentOf(before), JSON.stringify(event)], args)).toBe(true)
        }
      }),
    )
  })

  it('gives back the same object when nothing changed, and only then', () => {
    fc.assert(
      fc.property(scripts(), scripts(), (steps, others) => {
        const { first, happened } = play(steps)
        const session = happened.at(-1)?.after ?? first
        // What happened to another session makes sense here, or not.
        const events = [...happened, ...play(others).happened].map(({ event }) => event)
        for (const event of events) {
          const later = { ...event, at: session.modifiedAt + 1_000 } as SessionEvent
          const next = reduce(session, later)
          expect(next === session).toBe(isDeepStrictEqual(contentOf(next), contentOf(session)))
        }
      }),
    )
  })

  it('comes to the same from what a snapshot kept', () => {
    fc.assert(
      fc.property(scripts(), scripts(), (steps, others) => {
        const { first, happened } = play(steps)
        const session = happened.at(-1)?.after ?? first
        const kept = decodeSession(JSON.parse(JSON.stringify(encodeSession(session))))
        expect(contentOf(kept)).toEqual(contentOf(session))
        const events = play(others).happened.map(({ event }) => event)
        expect(contentOf(events.reduce(reduce, kept))).toEqual(contentOf(events.reduce(reduce, session as never)))
      }),
    )
  })

  it('writes a snapshot of no session, and of many asks in several pieces', () => {
    expect(decodeSession(JSON.parse(JSON.stringify(encodeSession(undefined))))).toBeUndefined()
    const session = after(created, start(), ...Array.from({ length: 45 }, (_, index) => asked(`r${index}`)))
    const pieces = encodeSession(session)
    expect(pieces).toHaveLength(4)
    expect(contentOf(decodeSession(JSON.parse(JSON.stringify(pieces))))).toEqual(contentOf(session))
  })

  it('knows nothing before a session is made, and nothing once it is gone', () => {
    expect(after(start())).toBeUndefined()
    expect(after(created, { type: 'disposed', at: 4 }, start())).toBeUndefined()
    expect(after(created, { ...created, title: 'Again' })).toMatchObject({ title: 'S' })
  })

  it('does not ask again what is open, and takes an id that has ended for a new ask', () => {
    const open = after(created, start(), asked('r'))
    expect(reduce(open, asked('r', 'other'))).toBe(open)
    const again = after(
      ...[created, start(), asked('r'), { type: 'askEnded', at: 4, ask: 'r', response: 'cancel' } as const],
      asked('r', 'other'),
    )
    expect(again?.open.get('r')).toMatchObject({ instance: 'other', number: 2 })
    expect(again?.ended).toMatchObject([{ instance: 'r', number: 1 }])
  })

  it('keeps the answers of an ask to itself, and lays the final ones over the drafts', () => {
    const draft = { state: 'draft', value: { kind: 'text', value: 'a' } } as const
    const submitted = { state: 'submitted', value: { kind: 'text', value: 'b' } } as const
    const session = after(
      ...[created, start(), asked('r')],
      { type: 'drafted', at: 4, ask: 'r', question: 'x', answer: draft },
      { type: 'drafted', at: 4, ask: 'r', question: 'y', answer: draft },
      { type: 'drafted', at: 4, ask: 'r', question: 'y' },
      { type: 'drafted', at: 4, ask: 'r', question: '__proto__', answer: draft },
      { type: 'askEnded', at: 5, ask: 'r', response: 'accept', answers: { z: submitted } },
    )
    expect(Object.entries(session?.ended[0]?.drafts ?? {})).toEqual([
      ['x', draft],
      ['__proto__', draft],
      ['z', submitted],
    ])
  })

  it('remembers so many asks and turns that ended', () => {
    const events: SessionEvent[] = [created]
    for (let count = 0; count < maxRemembered + 5; count++)
      events.push(start(`t${count}`), asked(`r${count}`), {
        type: 'turnEnded',
        at: 4,
        turn: `t${count}`,
        state: 'complete',
      })
    const { turns, ended, open } = after(...events) ?? {}
    expect([turns?.length, ended?.length, open?.size]).toEqual([maxRemembered, maxRemembered, 0])
    expect([turns?.[0]?.id, ended?.[0]?.id]).toEqual(['t5', 'r5'])
  })
})
