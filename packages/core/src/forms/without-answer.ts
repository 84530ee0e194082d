// Threat: a validator repeats the answer in what it says (`Invalid email: Received "..."`), and that goes into the next
// question, into errors and into logs. Its words are used where they share none with the answer, or where it says the
// very same about an answer that has other ones: then they cannot be of the answer. So a validator may be asked twice.
//
// Deliberately not defended: an author's own validator that spells an answer in other characters (reversed, in base 64),
// and one or two letters out of a longer word.

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Content, FieldValue } from '../ask/outcome.js'

type Primitive = Exclude<FieldValue, string[]>
type Validate = (value: unknown) => Promise<StandardSchemaV1.Result<unknown>>

const plain = 'This is not valid.'
/** Shorter than this, a part of a word is in too many others. */
const partLength = 3
/** A text that is longer has most words in it. */
const longest = 10_000
const deepest = 4

/**
 * What to say about each issue of an answer.
 * @param bare the one property whose value is all that the validator gets
 */
export async function sayIssues(
  issues: readonly StandardSchemaV1.Issue[],
  content: Content,
  { validate, bare }: { validate: Validate; bare: string | undefined },
): Promise<{ issue: StandardSchemaV1.Issue; message: string }[]> {
  const said = issues.map(issue => ({ issue, texts: candidatesOf(issue) }))
  const shared = valuesOf(content).filter(value => said.some(({ texts }) => texts.some(text => shares(text, value))))
  const others = shared.length === 0 ? [] : await sayOfOthers()
  const isSafe = (text: string) => others.includes(text) || !shared.some(value => shares(text, value))
  return said.map(({ issue, texts }) => ({ issue, message: texts.find(isSafe) ?? plain }))

  async function sayOfOthers(): Promise<string[]> {
    const masked = Object.fromEntries(
      Object.entries(content).map(([name, value]) => [name, Array.isArray(value) ? value.map(swap) : swap(value)]),
    )
    const result = await validate(bare === undefined ? masked : masked[bare]).catch(() => undefined)
    return (result?.issues ?? []).flatMap(candidatesOf)
  }

  function swap<T extends Primitive>(value: T): Primitive {
    return shared.includes(value) ? otherThan(value) : value
  }
}

/** What a validator threw, to be thrown on: by its name alone where something of the answer may be in it. */
export function throwable(thrown: unknown, content: Content): unknown {
  const values = valuesOf(content)
  if (!holds(thrown, values, deepest)) return thrown
  const name = thrown instanceof Error && !holds(thrown.name, values, 0) ? ` (${thrown.name})` : ''
  return new Error(
    `The schema could not check the answer${name}. What it threw is left out, since the answer may be in it.`,
  )
}

/** What can be said about an issue, the best first: its message without what was received, and what was expected. */
function candidatesOf(issue: StandardSchemaV1.Issue): string[] {
  const { message } = issue
  // Valibot and ArkType tell these apart.
  const received = 'received' in issue ? issue.received : 'actual' in issue ? issue.actual : undefined
  const [head = ''] = typeof received === 'string' && received !== '' ? message.split(received) : [message]
  const words =
    head === message ? message : head.slice(0, Math.max(head.search(/(?: but |: | \()(?:received|was) $/i), 0))
  const expected = 'expected' in issue && typeof issue.expected === 'string' ? [`Expected: ${issue.expected}.`] : []
  return [words, ...expected].filter(text => text !== '')
}

function valuesOf(content: Content): Primitive[] {
  return Object.values(content).flat()
}

/** Whether a text and a value have a word in common, or a part of one. */
function shares(text: string, value: Primitive): boolean {
  const whole = String(value).trim()
  if (whole.length > longest || (whole !== '' && text.includes(whole))) return true
  const said = wordsOf(text)
  return wordsOf(whole).some(word =>
    said.some(other => {
      if (Math.min(word.length, other.length) < partLength) return word === other
      return word.includes(other) || other.includes(word)
    }),
  )
}

/** Its words, and all of them as one: a number may be written with spaces in it. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...words, words.join('')].filter(word => word !== '')
}

/** A value of the same make with no word of it. */
function otherThan(value: Primitive): Primitive {
  if (typeof value === 'boolean') return !value
  const digits = String(value).replace(/\p{N}/gu, digit => (digit === '1' ? '2' : '1'))
  if (typeof value === 'number') return Number(digits)
  const text = digits.replace(/\p{L}/gu, letter => (letter === 'q' ? 'z' : 'q'))
  return text === value ? `q${text}` : text
}

function holds(thing: unknown, values: readonly Primitive[], levels: number): boolean {
  if (typeof thing !== 'object' || thing === null) return values.some(value => shares(String(thing), value))
  if (levels === 0) return true
  return Object.getOwnPropertyNames(thing).some(
    name => name !== 'stack' && (holds(name, values, 0) || holds(Reflect.get(thing, name), values, levels - 1)),
  )
}
