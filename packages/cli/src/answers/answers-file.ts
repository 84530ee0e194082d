import { readFile } from 'node:fs/promises'
import type { Content, Question } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import type { DeskOutcome } from 'beckon/desk/adapter'
import { usageError } from '../cli-error.js'
import { plainLine, plainText } from '../plain-text.js'
import type { Person, ShownAsk } from './person.js'

/** What to do with asks, for scripts. */
export interface AnswersFile {
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
  return { fields: fields as Content, asks }
}

const shape =
  'Write { "fields": { "<question>": <answer> }, "asks": [{ "message": "<part of it>", "action": "accept", "content": {} }] }.'

/** Answers from a file; what it has nothing for goes to `otherwise`. */
export function answersFrom({ fields = {}, asks = [] }: AnswersFile, otherwise: Person): Person {
  return async ask => {
    const entry = asks.find(({ message }) => message === undefined || ask.message.includes(message))
    if (entry !== undefined) {
      const { action = 'accept', content = {}, reason } = entry
      if (action === 'decline' && reason !== undefined) return { action, reason }
      if (action === 'accept' && ask.url !== undefined) tellAddress(ask.server, ask.url)
      return action === 'accept' ? accept(ask, { ...fields, ...content }) : { action }
    }
    const isForm = ask.url === undefined && ask.questions.length > 0
    const isComplete = ask.questions.every(({ id, required }) => !required || id in fields || id in ask.presets)
    return isForm && isComplete && ask.questions.some(({ id }) => id in fields) ? accept(ask, fields) : otherwise(ask)
  }
}

/** A page that a script agrees to visit has to be visited by someone. */
function tellAddress(server: string, url: string): void {
  console.error(`${plainLine(server)} wants this page visited: ${plainText(url)}`)
}

function accept({ questions, presets }: ShownAsk, given: Content): DeskOutcome {
  const all = { ...presets, ...given }
  const named = (question: Question) => (Object.hasOwn(all, question.id) ? [[question.id, all[question.id]]] : [])
  return { action: 'accept', content: Object.fromEntries(questions.flatMap(named)) }
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
