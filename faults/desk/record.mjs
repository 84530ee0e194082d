// What the log of a session says: how each of its asks ended, and whether that happened once.

/**
 * What came of an ask, as a program gets it.
 * @typedef {{ action: 'accept', content?: Record<string, unknown> } | { action: 'decline', reason?: string } | { action: 'cancel', why?: 'expired' | 'withdrawn' }} Outcome
 */

/**
 * @typedef {object} RecordedAsk
 * @property {string} id
 * @property {string} instance
 * @property {{ principals?: string[], groups?: string[] } | undefined} audience
 * @property {number} askedAt
 * @property {number} expiresAt
 * @property {string | undefined} ending in one word; undefined while it is open
 */

/** @typedef {{ asks: Map<string, RecordedAsk>, problems: string[], length: number, story: string }} SessionRecord */

/**
 * What the log has, as far as it matters here: an event or a piece of a snapshot.
 * @typedef {{ e?: any, s?: any }} Line
 */

/**
 * @param {readonly Line[]} lines
 * @returns {SessionRecord}
 */
export function recordOf(lines) {
  /** @type {Map<string, RecordedAsk>} */
  const asks = new Map()
  /** @type {string[]} */
  const problems = []
  for (const { e, s } of lines) {
    if (Array.isArray(s)) for (const ask of s) takeSnapshot(asks, ask, problems)
    if (e?.type === 'asked') {
      const { request, instance, policy, at } = e
      if (asks.has(request.id)) problems.push(`${request.id} was asked twice`)
      const { audience, expiresAt } = policy
      asks.set(request.id, { id: request.id, instance, audience, askedAt: at, expiresAt, ending: undefined })
    } else if (e?.type === 'askEnded') {
      const ask = asks.get(e.ask)
      if (ask?.ending !== undefined) problems.push(`${e.ask} ended twice: ${ask.ending}, and ${endingIn(e)}`)
      else if (ask !== undefined) ask.ending = endingIn(e)
    } else if (e?.type === 'turnEnded') for (const ask of asks.values()) ask.ending ??= 'cancel'
  }
  const story = lines.map(({ e }) => (e === undefined ? 'snapshot' : describe(e))).join(' ')
  return { asks, problems, length: lines.length, story }
}

/**
 * A snapshot says the same as what came before it.
 * @param {Map<string, RecordedAsk>} asks
 * @param {any} ask
 * @param {string[]} problems
 */
function takeSnapshot(asks, { id, instance, policy, askedAt, drafts, ending: end }, problems) {
  const ending = end === undefined ? undefined : endingIn({ ...end, answers: drafts })
  const known = asks.get(id)
  if (known !== undefined && known.ending !== ending)
    problems.push(`${id} is ${known.ending} in the log, and ${ending} in its snapshot`)
  const { audience, expiresAt } = policy
  asks.set(id, { id, instance, audience, askedAt, expiresAt, ending })
}

/**
 * An ending of the log in one word.
 * @param {{ response?: string, answers?: Record<string, any> | undefined, reason?: string, isExpired?: boolean }} ending
 */
function endingIn({ response, answers, reason, isExpired }) {
  if (response === 'accept') return `accept ${answers?.value?.value?.value}`
  if (response === 'decline') return `decline ${reason}`
  return isExpired ? 'expired' : 'cancel'
}

/**
 * The same for what a program got.
 * @param {Outcome} outcome
 */
export function endingOf(outcome) {
  if (outcome.action === 'accept') return `accept ${outcome.content?.value}`
  if (outcome.action === 'decline') return `decline ${outcome.reason}`
  return outcome.why === 'expired' ? 'expired' : 'cancel'
}

/**
 * The same for an ask as a device sees it; undefined while it is open.
 * @param {{ ending?: { response?: string, reason?: string }, request: { answers?: Record<string, any> } }} entry
 */
export function endingSeen({ ending, request }) {
  if (ending === undefined) return undefined
  const isExpired = ending.response === 'cancel' && ending.reason === 'expired'
  return endingIn({ ...ending, isExpired, answers: request.answers })
}

/** @param {any} event */
function describe({ type, ask, request, by, node }) {
  const about = ask ?? request?.id
  const who = by?.principal ?? node?.slice(0, 4)
  return `${type}${about === undefined ? '' : `(${about}${who === undefined ? '' : ` ${who}`})`}`
}
