// Reads the records of calls after a run: every answer that a client was told is taken is there once, under the question that
// it was given to, and nothing else is.

/** @typedef {{ digest: string, position: number, reply: { kind: string, outcome?: { content?: { value?: string } } } }} AskEntry */
/** @typedef {{ kind: string, name: string, nth: number }} StepEntry */
/** @typedef {{ kind: string } & Record<string, any>} Line */
/** @typedef {Pick<import('./caller.mjs').KnownCall, 'tag' | 'asked' | 'given' | 'isLeft' | 'hasEnded'>} KnownCall */

/**
 * What a record says: an answer, or that its time ran out, by the id of its ask; and steps.
 * @typedef {object} Journal
 * @property {{ id: string, value: string | undefined }[]} answers
 * @property {string[]} expired
 * @property {string[]} steps
 * @property {string[]} problems
 */

/**
 * The log of a call that is answered in rounds. Of a round that was claimed more than once, the last claim counts: it is
 * the same answers again, unless the round was opened again.
 * @param {readonly Line[]} lines
 * @returns {Journal}
 */
export function journalOfRounds(lines) {
  const problems = []
  /** @type {Map<number, Line>} */
  const claims = new Map()
  const replied = new Set()
  for (const line of lines) {
    if (line.kind === 'reopened') claims.delete(line.round)
    if (line.kind === 'round') {
      const before = claims.get(line.round)
      if (before !== undefined && before.answers !== line.answers)
        problems.push(`round ${line.round} has two different answers`)
      if (replied.has(line.round)) problems.push(`round ${line.round} was taken again after its reply`)
      claims.set(line.round, line)
    }
    if (line.kind === 'reply') {
      if (replied.has(line.round)) problems.push(`round ${line.round} has two replies`)
      replied.add(line.round)
    }
  }
  /** @type {AskEntry[]} */
  const entries = [...claims.values()].flatMap(({ entries }) => entries)
  const named = entries.map(({ digest, position, reply }) => ({
    id: `ask-${position + 1}-${digest.slice(0, 6)}`,
    reply,
  }))
  return { ...sorted(named), steps: lines.filter(({ kind }) => kind === 'step').map(stepOf), problems }
}

/**
 * The log of a task.
 * @param {readonly Line[]} lines
 * @returns {Journal}
 */
export function journalOfTask(lines) {
  const ends = lines.filter(({ kind }) => kind === 'ended').length
  const answered = lines.filter(({ kind }) => kind === 'answered').map(({ id, reply }) => ({ id, reply }))
  return {
    ...sorted(answered),
    steps: lines.filter(({ kind }) => kind === 'step').map(stepOf),
    problems: ends > 1 ? [`it ended ${ends} times`] : [],
  }
}

/**
 * Whose call a record of rounds is, as its first answer says.
 * @param {Journal} journal
 */
export function tagOf({ answers }) {
  return answers.find(({ value }) => value !== undefined)?.value?.split('/')[0]
}

/**
 * Compares a record with what the client of the call was told.
 * @param {KnownCall} call
 * @param {Journal | undefined} journal
 * @returns {{ found: number, losses: string[] }} how many of the accepted answers are there, and what is wrong
 */
export function compare({ tag, asked, given, isLeft, hasEnded }, journal) {
  if (journal === undefined)
    return { found: 0, losses: given.size > 0 ? [`${tag}: nothing of its ${given.size} answers is kept`] : [] }
  const { answers, expired, steps } = journal
  const losses = journal.problems.map(problem => `${tag}: ${problem}`)
  let found = 0
  for (const [question, expected] of given) {
    const here = answers.filter(({ id }) => asked.get(id) === question)
    if (here.length !== 1) losses.push(`${tag}: the answer to ${question} is in its record ${here.length} times`)
    else if (question !== 'sure' && here[0]?.value !== expected)
      losses.push(`${tag}: the record has another answer to ${question}`)
    else found++
  }
  for (const { id, value } of answers) {
    const question = asked.get(id)
    if (question === undefined) losses.push(`${tag}: an answer is to ${id}, which was not asked`)
    else if (value !== undefined && value.replace(/!$/, '') !== `${tag}/${question}`)
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
    if (!isLeft || (asked.get(id) ?? 'sure') !== 'sure') losses.push(`${tag}: ${asked.get(id) ?? id} expired too early`)
  return { found, losses }
}

/** @param {readonly { id: string, reply: AskEntry['reply'] }[]} entries */
function sorted(entries) {
  return {
    answers: entries
      .filter(({ reply }) => reply.kind === 'outcome')
      .map(({ id, reply }) => ({ id, value: reply.outcome?.content?.value })),
    expired: entries.filter(({ reply }) => reply.kind === 'expired').map(({ id }) => id),
  }
}

/** @param {Line} line */
function stepOf({ entry }) {
  return `${entry.name} ${entry.nth}`
}
