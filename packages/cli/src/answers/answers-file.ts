import { readFile } from 'node:fs/promises'
import { type Content, checkContent, type Question } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import type { DeskOutcome } from 'beckon/desk/adapter'
import { usageError } from '../cli-error.js'
import { plainLine, plainText } from '../plain-text.js'
import type { Person, ShownAsk } from './person.js'

/** What to do with asks, for scripts. */
export interface AnswersFile {
  /** The file that says so. */
  readonly path: string
  /** Answers by question id, for every form whose required questions are all here. */
  readonly fields?: Content
  /** By ask: the first whose `message` is part of the ask's. Without a message, any. */
  readonly asks?: readonly AnswerEntry[]
}

interface AnswerEntry {
  readonly message?: string
  readonly action?: DeskOutcome['action']
  readonly content?: Content
  /** Why it is declined, for the tool to know. */
  readonly reason?: string
}

export async function readAnswers(path: string): Promise<AnswersFile> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw usageError(`The file ${path} with answers cannot be read.`)
  })
  const file = parse(text)
  if (!isRecord(file)) throw usageError(`The file ${path} is not a JSON object. ${shape}`)
  const { fields = {}, asks = [], ...others } = file
  const [other] = Object.keys(others)
  if (other !== undefined) throw usageError(`The file ${path} has "${other}", which means nothing. ${shape}`)
  if (!isRecord(fields) || !Array.isArray(asks) || !asks.every(isEntry)) {
    throw usageError(`The file ${path} cannot be understood. ${shape}`)
  }
  // Content is checked against the form when it is used.
  return { path, fields: fields as Content, asks }
}

const shape =
  'Write { "fields": { "<question>": <answer> }, "asks": [{ "message": "<part of it>", "action": "accept", "content": {} }] }.'

/** Answers from a file; what it has nothing for goes to `otherwise`. */
export function answersFrom({ path, fields = {}, asks = [] }: AnswersFile, otherwise: Person): Person {
  return async ask => {
    const place = asks.findIndex(({ message }) => message === undefined || ask.message.includes(message))
    const entry = asks[place]
    if (entry !== undefined) {
      const { action = 'accept', content = {}, reason } = entry
      if (action === 'decline' && reason !== undefined) return { action, reason }
      if (action === 'accept' && ask.url !== undefined) tellAddress(ask.server, ask.url)
      if (action !== 'accept') return { action }
      const from = { source: `The answer ${place + 1} of "asks" in ${path}`, named: Object.keys(content) }
      return accept(ask, { ...fields, ...content }, from)
    }
    const isForm = ask.url === undefined && ask.questions.length > 0
    const isComplete = ask.questions.every(({ id, required }) => !required || id in fields || id in ask.presets)
    if (!isForm || !isComplete || !ask.questions.some(({ id }) => id in fields)) return otherwise(ask)
    return accept(ask, fields, { source: `What ${path} has in "fields"`, named: [] })
  }
}

/** A page that a script agrees to visit has to be visited by someone. */
function tellAddress(server: string, url: string): void {
  console.error(`${plainLine(server)} wants this page visited: ${plainText(url)}`)
}

/** Where an answer is from. */
interface From {
  readonly source: string
  /** The questions that it means to answer, where it is for this ask alone. */
  readonly named: readonly string[]
}

function accept(ask: ShownAsk, given: Content, from: From): DeskOutcome {
  const { questions, presets, form } = ask
  const all = { ...presets, ...given }
  const named = (question: Question) => (Object.hasOwn(all, question.id) ? [[question.id, all[question.id]]] : [])
  const content: Content = Object.fromEntries(questions.flatMap(named))
  const { issues } = form === undefined ? {} : checkContent(form, content)
  if (issues === undefined) return { action: 'accept', content }
  const problems = issues.map(({ path, message }) => `  ${plainLine([...path, message].join(': '))}`)
  console.error(complaint(ask, from, problems))
  return { action: 'cancel' }
}

/** Which answer does not fit, why, and what would. Never has an answer in it. */
function complaint({ server, message, questions }: ShownAsk, { source, named }: From, problems: string[]): string {
  const unasked = named.filter(name => !questions.some(({ id }) => id === name)).map(name => plainLine(`"${name}"`))
  return [
    `${source} does not fit what ${plainLine(server)} asks: ${plainLine(message)} It is cancelled.`,
    ...problems,
    'The form wants:',
    ...questions.map(question => `  ${plainLine(`${question.id}: ${wanted(question)}`)}`),
    ...(unasked.length === 0 ? [] : [`It does not ask for ${unasked.join(', ')}.`]),
  ].join('\n')
}

function wanted(question: Question): string {
  return `${kindOf(question)}${question.required ? '' : ', optional'}`
}

function kindOf(question: Question): string {
  switch (question.kind) {
    case 'text':
      return question.format === undefined ? 'a text' : `a text (${question.format})`
    case 'number':
      return 'a number'
    case 'integer':
      return 'a whole number'
    case 'boolean':
      return 'true or false'
    case 'single-select':
      return `one of ${optionsOf(question)}`
    case 'multi-select':
      return `a list of ${optionsOf(question)}`
  }
}

function optionsOf({ options }: Extract<Question, { readonly options: unknown }>): string {
  return options.map(({ id, label }) => `"${id}"${label === id ? '' : ` (${label})`}`).join(', ')
}

function isEntry(value: unknown): value is AnswerEntry {
  if (!isRecord(value)) return false
  const { message = '', action = 'accept', content = {}, reason = '' } = value
  const isKnown = ['accept', 'decline', 'cancel'].includes(String(action))
  return typeof message === 'string' && typeof reason === 'string' && isKnown && isRecord(content)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
