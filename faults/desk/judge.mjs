// What has to hold when a run is over: nothing lost, one winner, everyone agrees.
import { isDeepStrictEqual } from 'node:util'
import { sealedStore } from 'beckon/store'
import { linesOf } from '../lines.mjs'
import { openFor } from '../open-store.mjs'
import { patientStore } from '../patient-store.mjs'
import { isFor } from './people.mjs'
import { endingSeen, recordOf } from './record.mjs'

/** @typedef {import('./record.mjs').SessionRecord} SessionRecord */
/** @typedef {import('./person.mjs').Person} Person */
/** When the end of a session's log was taken away. @typedef {ReadonlyMap<string, number>} Cuts */

/** What was told of a log shortly after its end was taken away may be of before. */
const afterCutMs = 6_000

/**
 * @param {string} url of the store
 * @param {Iterable<string>} sessions
 * @returns {Promise<Map<string, SessionRecord>>}
 */
export async function readSessions(url, sessions) {
  const store = sealedStore(patientStore(await openFor(url)))
  try {
    /** @type {Map<string, SessionRecord>} */
    const records = new Map()
    for (const session of sessions) {
      const entries = await store.read(`desk/session/${session}`)
      records.set(session, recordOf(linesOf(entries)))
    }
    return records
  } finally {
    await store.close()
  }
}

/**
 * Answers that were confirmed and are not the outcome; asks that ended twice; programs that got something else.
 * @param {ReadonlyMap<string, SessionRecord>} records
 * @param {object} known
 * @param {readonly Person[]} known.people
 * @param {readonly import('./programs.mjs').Waiting[]} known.asks
 * @param {Cuts} known.cuts
 */
export function judgeLogs(records, { people, asks, cuts }) {
  const losses = [...records].flatMap(([session, { problems }]) => problems.map(problem => `${session}: ${problem}`))
  let confirmed = 0
  let found = 0
  /** @param {string} session @param {string} ask */
  const inLog = (session, ask) => records.get(session)?.asks.get(ask)?.ending
  /** @param {string} session @param {number} at */
  const isOfBefore = (session, at) => at < (cuts.get(session) ?? Number.NEGATIVE_INFINITY) + afterCutMs
  for (const { confirmed: given, device } of people)
    for (const { session, ask, ending, at } of given) {
      if (isOfBefore(session, at)) continue
      confirmed++
      const is = inLog(session, ask)
      if (is === ending) found++
      else losses.push(`${session}: ${ask} was told to be ${ending} to ${device.name}, and is ${is}`)
    }
  for (const { spec, outcomes } of asks)
    for (const { ending, at, node } of outcomes) {
      const is = inLog(spec.session, spec.id)
      if (is !== ending && !isOfBefore(spec.session, at))
        losses.push(`${spec.session}: ${spec.id} was ${ending} to its program on node ${node}, and is ${is}`)
    }
  return { losses, confirmed, found }
}

/**
 * Where a device has another ending than the log.
 * @param {ReadonlyMap<string, SessionRecord>} records
 * @param {readonly Person[]} people
 */
export function disagreements(records, people) {
  return people.flatMap(({ asks, device, node }) =>
    asks.flatMap(entry => {
      const { session, request } = entry
      const record = records.get(session)
      if (record === undefined) return []
      const is = record.asks.get(request.id)
      const seen = endingSeen(entry)
      const here = `${session}: to ${device.name} on node ${node}`
      if (is === undefined) return [`${here} there is ${request.id}, ${seen ?? 'open'}, and the log has none`]
      return is.ending === seen
        ? []
        : [`${here} ${request.id} is ${seen ?? 'open'}, and ${is.ending ?? 'open'} in the log`]
    }),
  )
}

/**
 * What is open in a log for someone, and not among those that are listed for them.
 * @param {ReadonlyMap<string, SessionRecord>} records
 * @param {string} token
 * @param {ReadonlySet<string>} listed
 */
export function unlisted(records, token, listed) {
  return [...records].flatMap(([session, { asks }]) =>
    [...asks.values()]
      .filter(({ id, ending, audience }) => ending === undefined && isFor(audience, token) && !listed.has(id))
      .map(({ id }) => `${session}: ${id} is open, and not listed for the one of ${token}`),
  )
}

/**
 * Where what a device has is not what one gets who comes anew.
 * @param {Person} person
 * @param {ReadonlyMap<string, object>} fresh
 */
export function staleStates({ client, device, node }, fresh) {
  return [...fresh].flatMap(([channel, state]) => {
    const [had, is] = [client.states.get(channel), state].map(timeless)
    if (isDeepStrictEqual(had, is)) return []
    return [
      `${device.name} on node ${node} has on ${channel} ${JSON.stringify(had)}, and there is ${JSON.stringify(is)}`,
    ]
  })
}

/**
 * A state without its times: a device takes those of its own clock.
 * @param {any} state
 * @returns {any}
 */
function timeless(state) {
  if (Array.isArray(state)) return state.map(timeless)
  if (typeof state !== 'object' || state === null) return state
  return Object.fromEntries(
    Object.entries(state).flatMap(([key, value]) => (/At$/.test(key) ? [] : [[key, timeless(value)]])),
  )
}
