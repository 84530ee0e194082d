// Matchers for vitest, and for anything else with its `expect.extend`. Nothing of vitest is imported here: `beckon/test/vitest`
// registers them and brings the types.
import { type Asked, nameAsk } from './ask.js'

/** What a matcher gets from vitest. */
export interface MatcherContext {
  equals(actual: unknown, expected: unknown): boolean
  readonly isNot?: boolean
}

/** What a matcher gives back. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

/** An ask in part: a text may be given as a pattern, anything as one of vitest's own asymmetric matchers. */
export type AskedPattern = {
  readonly [Key in 'kind' | 'message' | 'key' | 'tool' | 'schema' | 'url' | 'outcome']?: unknown
}

/** The matchers as they are called. */
export interface BeckonMatchers {
  /** A test client was asked: this very message, one that fits a pattern, or an ask with these members. */
  toHaveAsked(expected: string | RegExp | AskedPattern): void
  toHaveAskedTimes(times: number): void
  /** A tool's result is an error; with a text in it, or one that fits a pattern. */
  toBeToolError(expected?: string | RegExp): void
  /** The texts of a result, a line each, are these. */
  toHaveText(expected: string | RegExp): void
}

/**
 * For `expect.extend(matchers)`. With `import 'beckon/test/vitest'` that is done, and typed.
 * @example
 * expect(client).toHaveAsked({ kind: 'confirm', message: /completed todos/ })
 */
export const matchers: {
  [Name in keyof BeckonMatchers]: (
    this: MatcherContext,
    received: unknown,
    ...expected: Parameters<BeckonMatchers[Name]>
  ) => MatcherResult
} = {
  toHaveAsked(received, expected) {
    const asked = askedOf(received)
    const pattern = typeof expected === 'string' || expected instanceof RegExp ? { message: expected } : expected
    return {
      pass: asked.some(ask =>
        Object.entries(pattern).every(([key, value]) => fits(this, ask[key as keyof Asked], value)),
      ),
      message: () => `expected ${not(this)}an ask with ${show(pattern)}. Asked were:${list(asked)}`,
    }
  },
  toHaveAskedTimes(received, times) {
    const asked = askedOf(received)
    return {
      pass: asked.length === times,
      message: () => `expected ${not(this)}${times} asks, and there were ${asked.length}:${list(asked)}`,
    }
  },
  toBeToolError(received, expected) {
    const { isError } = membersOf(received)
    const text = textOf(received)
    const isFit =
      expected === undefined || (typeof expected === 'string' ? text.includes(expected) : expected.test(text))
    return {
      pass: isError === true && isFit,
      message: () =>
        `expected ${not(this)}a tool's error${expected === undefined ? '' : ` with ${show(expected)}`}, and got ` +
        `${isError === true ? 'an error' : 'a result'} with ${show(text)}`,
    }
  },
  toHaveText(received, expected) {
    const text = textOf(received)
    return {
      pass: fits(this, text, expected),
      message: () => `expected ${not(this)}the text ${show(expected)}, and got ${show(text)}`,
    }
  },
}

function fits(context: MatcherContext, actual: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return typeof actual === 'string' && expected.test(actual)
  return context.equals(actual, expected)
}

function askedOf(received: unknown): readonly Asked[] {
  const { asked } = membersOf(received)
  if (Array.isArray(asked)) return asked
  throw new TypeError('This matcher is for a test client: expect(client).toHaveAsked(...).')
}

/** Of a tool's result, a prompt's or a resource's. */
function textOf(received: unknown): string {
  const { content, contents, messages } = membersOf(received)
  const said = Array.isArray(messages) ? messages.map(message => membersOf(message).content) : []
  const texts = [content, contents, said].flat().map(block => membersOf(block).text)
  return texts.filter(text => typeof text === 'string').join('\n')
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function not({ isNot }: MatcherContext): string {
  return isNot ? 'not ' : ''
}

function list(asked: readonly Asked[]): string {
  return asked.length === 0 ? ' nothing' : asked.map(ask => `\n  ${nameAsk(ask)}`).join('')
}

function show(value: unknown): string {
  return value instanceof RegExp
    ? String(value)
    : JSON.stringify(value, (_key, inner) => (inner instanceof RegExp ? String(inner) : inner))
}
