// Reads the logs of calls after a run: every answer that a client was told is taken is there once, under the question that
// it was given to, and nothing else is; and nobody has written to one who did not run its call.

/**
 * An event of a log, and the id of its append.
 * @typedef {{ w: string, e: { kind: string } & Record<string, any> }} Line
 */
/** @typedef {{ kind: string, digest: string, position: number, ask?: string, reply: Reply }} AskEntry */
/** @typedef {{ kind: string, outcome?: { content?: { value?: string } } }} Reply */
/** @typedef {Pick<import('./caller.mjs').KnownCall, 'tag' | 'asked' | 'given' | 'isLeft' | 'hasEnded'>} KnownCall */

/**
 * What a log says: an answer, or that its time ran out, by the id of its ask; and steps.
 * @typedef {object} Journal
 * @property {string | undefined} id of a call that goes on without its client
 * @property {string | undefined} tag whose call it is
 * @property {ReadonlyMap<string, string>} asked what was asked, by the id of the ask, where the log has it
 * @property {{ id: string, value: string | undefined }[]} answers
 * @property {string[]} expired
 * @property {string[]} steps
 * @property {string[]} stepIds
 * @property {string[]} open asks that nobody has answered
 * @property {boolean} hasEnded
 * @property {string[]} problems
 */

/** What only the run writes that has the call. */
const ofOwner = new Set(['step', 'replied', 'reopened', 'asked', 'moved', 'expired', 'withdrawn', 'ended'])

/**
 * What the log of a call comes to. It is read here anew, and not by what the server reads it with.
 * @param {readonly Line[]} lines
 * @param {ReadonlyMap<string, string>} [writers] which process wrote, by the id of an append
 * @returns {Journal}
 */
export function journalOf(lines, writers = new Map()) {
  /** @type {string[]} */
  const problems = []
  /** @type {{ id: string, reply: Reply, round?: number }[]} */
  let answered = []
  /** @type {Line['e'][]} */
  const steps = []
  /** @type {Map<number, { answers: string, isReplied: boolean }>} */
  const rounds = new Map()
  /** @type {Map<string, string>} */
  const asked = new Map()
  const open = new Set()
  /** @type {{ run: string, writer: string | undefined } | undefined} */
  let owner
  /** Which entry of the handler wrote the steps of a run. @type {Map<string, string>} */
  const entered = new Map()
  /** @type {Record<string, any> | undefined} */
  let record
  /** @type {string | undefined} */
  let end

  /** @param {AskEntry} entry @param {number} [round] */
  function answer(entry, round) {
    const id = entry.ask ?? idOf(entry)
    // Once every ask is in the log, one that is not open has its answer, or is elsewhere: this one changes nothing.
    if (record !== undefined && entry.ask !== undefined && !open.delete(id)) return
    answered.push({ id, reply: entry.reply, ...(round !== undefined && { round }) })
  }

  /** @param {Line['e']} entry */
  function step(entry) {
    steps.push(entry)
    const by = entry.result?.by
    if (by === undefined || owner === undefined) return
    const { run } = owner
    const before = entered.get(run)
    if (before === undefined && [...entered.values()].includes(by))
      problems.push(`a run wrote the step ${stepOf(entry)} that had lost the call`)
    if (before !== undefined && before !== by) problems.push(`the step ${stepOf(entry)} was written by a second run`)
    entered.set(run, before ?? by)
  }

  for (const { w, e } of lines) {
    const writer = writers.get(w)
    if (end !== undefined) {
      if (e.kind !== 'delivered') problems.push(`it has "${e.kind}" after its end`)
      continue
    }
    if (ofOwner.has(e.kind) && owner?.writer !== undefined && writer !== undefined && writer !== owner.writer)
      problems.push(`"${e.kind}" was written by ${writer}, while the call was ${owner.writer}'s`)
    if (e.owner !== undefined) owner = { run: e.owner.run, writer }
    switch (e.kind) {
      case 'begun':
        if (record !== undefined) problems.push('it was begun twice')
        record ??= e.record
        break
      case 'asked':
        if (open.has(e.ask.id)) problems.push(`${e.ask.id} was asked while it was open`)
        if (answered.some(({ id }) => id === e.ask.id)) problems.push(`${e.ask.id} was asked after its answer`)
        asked.set(e.ask.id, e.ask.ask.message)
        open.add(e.ask.id)
        break
      case 'answered':
        if (e.round !== undefined) {
          const before = rounds.get(e.round)
          if (before !== undefined) problems.push(`round ${e.round} was answered twice`)
          if (before !== undefined && before.answers !== e.answers)
            problems.push(`round ${e.round} has two different answers`)
          rounds.set(e.round, { answers: e.answers, isReplied: false })
        }
        for (const entry of e.entries) entry.kind === 'step' ? step(entry) : answer(entry, e.round)
        break
      case 'step':
        step(e.entry)
        break
      case 'claimed':
        break
      case 'replied': {
        const round = rounds.get(e.round)
        if (round === undefined) problems.push(`round ${e.round} has a reply and no answers`)
        else if (round.isReplied) problems.push(`round ${e.round} has two replies`)
        else round.isReplied = true
        break
      }
      case 'reopened':
        if (rounds.get(e.round)?.isReplied) problems.push(`round ${e.round} was opened again after its reply`)
        rounds.delete(e.round)
        answered = answered.filter(({ round }) => round !== e.round)
        break
      case 'expired':
        if (open.delete(e.ask)) answered.push({ id: e.ask, reply: { kind: 'expired' } })
        break
      case 'withdrawn':
        open.delete(e.ask)
        break
      case 'moved':
        if (!open.has(e.ask)) problems.push(`${e.ask} was moved, and is not open`)
        break
      case 'delivered':
        problems.push('it was delivered before its end')
        break
      case 'cancelled':
      case 'ended':
        end = e.kind
        break
      default:
        problems.push(`it has "${e.kind}", which nobody knows`)
    }
  }
  const answers = answered
    .filter(({ reply }) => reply.kind === 'outcome')
    .map(({ id, reply }) => ({ id, value: reply.outcome?.content?.value }))
  return {
    id: record?.id,
    tag:
      record?.params.arguments?.tag ??
      steps.find(({ result }) => result?.tag !== undefined)?.result.tag ??
      answers.find(({ value }) => value !== undefined)?.value?.split('/')[0],
    asked,
    answers,
    expired: answered.filter(({ reply }) => reply.kind === 'expired').map(({ id }) => id),
    steps: steps.map(stepOf),
    stepIds: steps.flatMap(({ result }) => (result?.id === undefined ? [] : [result.id])),
    open: end === undefined ? [...open] : [],
    hasEnded: end !== undefined,
    problems,
  }
}

/**
 * A log in a few words, for whoever has to find out what went wrong.
 * @param {readonly Line[]} lines
 * @param {ReadonlyMap<string, string>} [writers]
 */
export function describeLog(lines, writers = new Map()) {
  return lines
    .map(({ w, e }) => {
      const { ask, entry, entries = [], round, owner, reply, wire } = e
      const about = [
        ask?.id ?? ask,
        wire ?? ask?.wire,
        entry?.name,
        ...entries.map((/** @type {any} */ each) => each.name ?? each.ask ?? idOf(each)),
        round !== undefined && `round ${round}`,
        reply?.kind,
        owner && `owner ${owner.run.slice(0, 4)}`,
      ].filter(Boolean)
      return `${e.kind}(${[...about, `by ${writers.get(w)}`].join(' ')})`
    })
    .join(' ')
}

/**
 * Compares a log with what the client of the call was told.
 * @param {KnownCall} call
 * @param {Journal | undefined} journal
 * @returns {{ found: number, losses: string[] }} how many of the accepted answers are there, and what is wrong
 */
export function compare({ tag, asked, given, isLeft, hasEnded }, journal) {
  if (journal === undefined)
    return { found: 0, losses: given.size > 0 ? [`${tag}: nothing of its ${given.size} answers is kept`] : [] }
  const { answers, expired, steps } = journal
  const losses = journal.problems.map(problem => `${tag}: ${problem}`)
  for (const message of journal.asked.values())
    if (!message.startsWith(`${tag} `)) losses.push(`${tag}: it asked for another call: ${message}`)
  /** @param {string} id */
  const questionOf = id => asked.get(id) ?? journal.asked.get(id)?.slice(tag.length + 1)
  let found = 0
  for (const [question, expected] of given) {
    const here = answers.filter(({ id }) => questionOf(id) === question)
    if (here.length !== 1) losses.push(`${tag}: the answer to ${question} is in its record ${here.length} times`)
    else if (question !== 'sure' && here[0]?.value !== expected)
      losses.push(`${tag}: the record has another answer to ${question}`)
    else found++
  }
  for (const { id, value } of answers) {
    const question = questionOf(id)
    if (question === undefined) losses.push(`${tag}: an answer is to ${id}, which was not asked`)
    else if (value !== undefined && value.replace(/[!~]$/, '') !== `${tag}/${question}`)
      losses.push(`${tag}: the answer to ${question} was given to another question`)
    else if (hasEnded && !given.has(question)) losses.push(`${tag}: nobody was told that ${question} was answered`)
  }
  for (const step of new Set(steps)) {
    const times = steps.filter(other => other === step).length
    if (times > 1) losses.push(`${tag}: the step ${step} is in its record ${times} times`)
  }
  if (hasEnded && steps.length < 2) losses.push(`${tag}: ${steps.length} of its 2 steps are in its record`)
  // The time of the last one may be over before its client has seen it.
  for (const id of expired)
    if (!isLeft || (questionOf(id) ?? 'sure') !== 'sure')
      losses.push(`${tag}: ${questionOf(id) ?? id} expired too early`)
  return { found, losses }
}

/** @param {Pick<AskEntry, 'position' | 'digest'>} mark */
function idOf({ position, digest }) {
  return `ask-${position + 1}-${digest.slice(0, 6)}`
}

/** @param {Record<string, any>} entry */
function stepOf({ name, nth }) {
  return `${name} ${nth}`
}
