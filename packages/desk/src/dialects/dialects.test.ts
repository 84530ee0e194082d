// Whoever watches a session from its beginning has what whoever comes later is given, in each dialect and in the list of
// asks: what is told, taken by the protocol's own reducers, comes to the state as it is encoded.
import { isDeepStrictEqual } from 'node:util'
import { type AskEntry, type AsksState, reduceAsks } from '@beckon/core/asks'
import { reduceChat, reduceSessionSummary } from '@beckon/core/chat'
import { channelsOf, chatDialects, type Dialect, dialectTraits } from '@beckon/core/live'
import { reduceSession } from '@beckon/core/session-0.3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asTold } from '../../test/live-client.js'
import { everywhere, nowhere, play, type ScriptStep, scripts, somewhere } from '../../test/session-script.js'
import type { Happened } from '../model/happened.js'
import type { Session } from '../model/session.js'
import { type Person, seenBy } from '../policy/audience.js'
import { actionsOf } from './actions.js'
import { asksActions, encodeEntry } from './asks.js'
import { encodeChat, encodeOlder, encodeSummary } from './states.js'

interface View {
  readonly name: string
  readonly dialect: Dialect
  readonly channel: string
  readonly encode: (session: Session, person: Person) => object
  readonly reduce: (state: object, action: object, at: number) => object
}

const { session, chat } = channelsOf('s')
const views: readonly View[] = [
  {
    name: 'the session of 0.3',
    dialect: '0.3',
    channel: session,
    encode: (state, person) => encodeOlder(state, seenBy(person)),
    reduce: (state, action, at) => reduceSession(state as never, action as never, at),
  },
  ...chatDialects.flatMap((dialect): View[] => [
    {
      name: `the chat of ${dialect}`,
      dialect,
      channel: chat,
      encode: (state, person) => encodeChat(state, seenBy(person), dialect),
      reduce: (state, action, at) =>
        dialectTraits[dialect].hasTurnTimes
          ? reduceChat(state as never, action as never)
          : reduceChat(state as never, action as never, at),
    },
    {
      name: `the session of ${dialect}`,
      dialect,
      channel: session,
      encode: (state, person) => encodeSummary(state, seenBy(person), dialect),
      reduce: (state, action) => reduceSessionSummary(state as never, action as never),
    },
  ]),
]

const summaries = views.filter(({ channel, dialect }) => channel === session && dialectTraits[dialect].hasChats)

/** Holds after each event. */
function follows(
  { dialect, channel, encode, reduce }: View,
  person: Person,
  steps: readonly ScriptStep[],
  shown: (state: object) => unknown = plain,
): void {
  const { first, happened } = play(steps)
  let state = plain(encode(first, person)) as object
  for (const each of happened) {
    for (const { channel: to, action, isFor } of actionsOf(each, dialect))
      if (to === channel && (isFor === undefined || isFor(person))) state = reduce(state, action, each.event.at)
    isTheSame(shown(state), shown(encode(each.after as Session, person)))
  }
}

/** `toEqual`, which is slow where nothing is wrong. */
function isTheSame(is: unknown, shouldBe: unknown): void {
  if (!isDeepStrictEqual(is, shouldBe)) expect(is).toEqual(shouldBe)
}

/** As it is over the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** That something happened at all is not told to those whom it is not for, and so nor is when. */
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'modifiedAt' ? undefined : inner)))
}

describe.each(views)('what is told of $name', view => {
  it('comes to its state, to someone who sees everything', () => {
    fc.assert(
      fc.property(scripts(), steps => follows(view, everywhere, steps)),
      { numRuns: 150 },
    )
  })

  it.each([
    ['is in some audiences', somewhere],
    ['is in none', nowhere],
  ])('comes to its state, to someone who %s', (_, person) => {
    fc.assert(
      fc.property(scripts(), steps => follows(view, person, steps, state => timeless(asTold(state)))),
      { numRuns: 150 },
    )
  })

  it('is for those whom it concerns: what is asked of others is not in it', () => {
    fc.assert(
      fc.property(scripts(), steps => {
        for (const each of play(steps).happened)
          for (const { action, isFor } of actionsOf(each, view.dialect))
            if (isFor === undefined || isFor(nowhere)) expect(secretsIn(each, action)).toEqual([])
      }),
    )
  })
})

it.each([
  ['sees everything', everywhere],
  ['is in some audiences', somewhere],
  ['is in none', nowhere],
])('a session says of itself the same to who watched it and to who comes later, to someone who %s', (_, person) => {
  // With a turn that is cut off it is forgotten whom it asked.
  const remembered = scripts().map(steps => steps.filter(({ kind }) => kind !== 'truncate'))
  fc.assert(
    fc.property(remembered, fc.constantFrom(...summaries), (steps, view) => follows(view, person, steps, timeless)),
    { numRuns: 150 },
  )
})

it.each(chatDialects)('the list of chats says what the chat itself says, in %s', dialect => {
  fc.assert(
    fc.property(scripts(), steps => {
      for (const { after } of play(steps).happened)
        for (const person of [everywhere, somewhere, nowhere]) {
          const { turns: _, activeTurn: __, ...chat } = encodeChat(after as Session, seenBy(person), dialect)
          expect(encodeSummary(after as Session, seenBy(person), dialect).chats).toEqual([chat])
        }
    }),
  )
})

/** The messages of asks that are for others. */
function secretsIn({ before, after }: Happened, action: object): string[] {
  const text = JSON.stringify(action)
  const asks = [before, after].flatMap(state => [...(state?.open.values() ?? [])])
  return asks
    .filter(ask => seenBy(nowhere)(ask) === undefined)
    .map(({ request }) => request.message ?? '')
    .filter(message => text.includes(`"${message}"`))
}

describe('what is told of all asks', () => {
  const membersOf = (group: string) => (group === 'finance' ? { people: ['bob', 'carl'], isAll: true } : undefined)
  const entriesFor = (state: Session, person: Person): AskEntry[] =>
    [...state.ended, ...state.open.values()].flatMap(
      ask => encodeEntry(state, ask, { seen: seenBy(person), membersOf }) ?? [],
    )
  /** In the order they were asked; a title stays as it was when it was asked. */
  const sorted = (entries: readonly AskEntry[]) =>
    (plain(entries) as AskEntry[])
      .map(entry => ({ ...entry, title: '' }))
      .sort((a, b) => a.askedAt - b.askedAt || (a.request.message ?? '').localeCompare(b.request.message ?? ''))

  function told(person: Person, steps: readonly ScriptStep[], check: (state: AsksState, session: Session) => void) {
    const { first, happened } = play(steps)
    let state: AsksState = { asks: [] }
    check(state, first)
    for (const each of happened) {
      for (const { action, isFor } of asksActions(each, membersOf))
        if (isFor(person)) state = reduceAsks(state, action())
      check(state, each.after as Session)
    }
  }

  it.each([
    ['sees everything', everywhere],
    ['is in some audiences', somewhere],
    ['is in none', nowhere],
  ])('comes to the list, to someone who %s', (_, person) => {
    fc.assert(
      // What came of a call is said once nothing is open in it.
      fc.property(scripts(['truncate', 'report']), steps => {
        told(person, steps, (state, now) => isTheSame(sorted(state.asks), sorted(entriesFor(now, person))))
      }),
      { numRuns: 150 },
    )
  })

  it('has open what is open, when turns are cut off; what went with them has ended', () => {
    const open = (entries: readonly AskEntry[]) => sorted(entries.filter(({ ending }) => ending === undefined))
    fc.assert(
      fc.property(scripts(['report']), steps => {
        told(everywhere, steps, (state, now) => {
          isTheSame(open(state.asks), open(entriesFor(now, everywhere)))
        })
      }),
    )
  })
})
