import type { Content, Field, Form } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import { byField, reasonField, whyField } from '../protocol/elicitation.js'
import { nameAsk, type TestAsk, type TestReply } from './ask.js'

/**
 * What a test says to an ask. For a person: `'accept'`, `'decline'`, `'cancel'`, an outcome (`{ action: 'decline', reason }`, with
 * the names of who gave it on a client's own desk as `by`, and with `why` on a cancel that was nobody's), or
 * the content of a form by itself, which accepts it; `true` and `false` accept and decline what has no form; a form with
 * a bare value (`String`, `['red', 'green']`) takes that value. `'accept'` sends a form's defaults. For `sample` a text
 * or the whole result, for `roots` the list or the whole result.
 */
export type TestAnswer =
  | 'accept'
  | 'decline'
  | 'cancel'
  | (string & {})
  | number
  | boolean
  | readonly unknown[]
  | Readonly<Record<string, unknown>>

/** What a person did, as a test says it. */
type Outcome = Extract<TestReply, { action: string }> & {
  readonly reason?: string
  readonly by?: readonly string[]
  readonly why?: 'expired' | 'withdrawn'
}

/** What goes back to the server for an answer. */
export function replyTo(ask: TestAsk, answer: TestAnswer): TestReply {
  if (ask.kind === 'sample') return typeof answer === 'string' ? sampled(answer) : asResult(ask, answer)
  if (ask.kind === 'roots') return Array.isArray(answer) ? { roots: answer } : asResult(ask, answer)
  if (answer === 'decline' || answer === 'cancel') return { action: answer }
  if (isOutcome(answer)) return asSent(answer)
  if (ask.kind === 'form') return { action: 'accept', content: contentFor(ask, ask.schema, answer) }
  if (answer === false) return { action: 'decline' }
  if (answer !== 'accept' && answer !== true && !isRecord(answer)) throw misfit(ask, answer)
  return ask.kind === 'url' ? { action: 'accept' } : { action: 'accept', content: {} }
}

/** An outcome as it travels: the protocol has no place of its own for what hosts of ours say beside it. */
function asSent({ reason, by, why, ...outcome }: Outcome): TestReply {
  const beside = {
    ...(reason !== undefined && { [reasonField]: reason }),
    ...(by !== undefined && { [byField]: [...by] }),
    ...(why !== undefined && { [whyField]: why }),
  }
  const content = outcome.action === 'accept' ? outcome.content : {}
  return Object.keys(beside).length === 0 ? outcome : { ...outcome, content: { ...content, ...beside } }
}

function contentFor(ask: TestAsk, schema: Form, answer: TestAnswer): Content {
  if (answer === 'accept') return defaultsOf(schema)
  const names = Object.keys(schema.properties)
  const isBare = names.every(name => name === 'value' || name.startsWith('value.'))
  const content = isRecord(answer) ? answer : isBare ? { value: answer } : undefined
  if (content === undefined) throw misfit(ask, answer)
  // Whatever a test wants to send: the server has to refuse what does not fit.
  return Object.fromEntries(Object.entries(content).flatMap(entry => tickBoxes(schema, entry))) as Content
}

/** On 2025-06-18 a multi-select is one yes/no field per option: the person ticks those that the test names. */
function tickBoxes({ properties }: Form, [name, value]: [string, unknown]): [string, unknown][] {
  const boxes = Object.keys(properties).filter(box => box.startsWith(`${name}.`))
  if (Object.hasOwn(properties, name) || boxes.length === 0 || !Array.isArray(value)) return [[name, value]]
  return boxes.map(box => [box, value.includes(box.slice(name.length + 1))])
}

function defaultsOf({ properties }: Form): Content {
  const preset = Object.entries<Field>(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(preset)
}

function sampled(text: string): TestReply {
  return { role: 'assistant', model: 'test', content: { type: 'text', text } }
}

function asResult(ask: TestAsk, answer: TestAnswer): TestReply {
  if (isRecord(answer)) return answer
  throw misfit(ask, answer)
}

function misfit(ask: TestAsk, answer: TestAnswer): TypeError {
  const wanted = { confirm: "true, false, 'accept', 'decline' or 'cancel'", form: 'the content of the form' }
  const what = ask.kind === 'confirm' || ask.kind === 'url' ? wanted.confirm : wanted.form
  return new TypeError(`${nameAsk(ask)}, which a ${typeof answer} cannot answer. Give ${what}.`)
}

/** Content with a field called "action" is not an outcome, unless it has nothing else. */
function isOutcome(answer: TestAnswer): answer is Outcome {
  return (
    isRecord(answer) &&
    ['accept', 'decline', 'cancel'].includes(String(answer.action)) &&
    Object.keys(answer).every(key => ['action', 'content', 'reason', 'by', 'why'].includes(key))
  )
}
