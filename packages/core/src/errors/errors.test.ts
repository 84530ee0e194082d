import { describe, expect, it, vi } from 'vitest'
import { type AnyCoded, type Sentences, sentenceOf } from './coded.js'
import * as errors from './index.js'

const all = [
  [
    new errors.InvalidFormError({ property: 'a', reason: 'it is odd', remedy: 'Make it even' }),
    errors.InvalidFormError,
    'InvalidForm',
    -32602,
  ],
  [new errors.SensitiveFieldError('a'), errors.SensitiveFieldError, 'SensitiveField', -32602],
  [new errors.ElicitationNotAvailableError(), errors.ElicitationNotAvailableError, 'ElicitationNotAvailable', -32007],
  [
    new errors.AnswerInvalidError([
      { path: ['a'], message: 'No.' },
      { path: [], message: 'Nor this.' },
    ]),
    errors.AnswerInvalidError,
    'AnswerInvalid',
    -32005,
  ],
  [new errors.AskExpiredError('ask-1'), errors.AskExpiredError, 'AskExpired', -32002],
  [new errors.CallCancelledError(), errors.CallCancelledError, 'CallCancelled', -32001],
  [new errors.StateRejectedError('it is forged'), errors.StateRejectedError, 'StateRejected', -32602],
  [new errors.ReplayMismatchError('Two asks differ'), errors.ReplayMismatchError, 'ReplayMismatch', -32603],
  [new errors.UnauthorizedError('Not yours.'), errors.UnauthorizedError, 'Unauthorized', -32009],
] as const

describe('errors', () => {
  it.each(all)('%s', (error, type, kind, code) => {
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(errors.BeckonError)
    expect(all.filter(([other]) => other instanceof type)).toHaveLength(1)
    expect(error).toMatchObject({ code, kind, name: `${kind}Error` })
    expect(error.message).toMatch(/\.$/)
  })

  it('are known across copies of the package', async () => {
    vi.resetModules()
    const copy = await import('./index.js')
    expect(copy.AskExpiredError).not.toBe(errors.AskExpiredError)
    const error = new copy.AskExpiredError('a')
    expect(error).toBeInstanceOf(errors.AskExpiredError)
    expect(error).toBeInstanceOf(errors.BeckonError)
    expect(error).not.toBeInstanceOf(errors.UnauthorizedError)
  })

  it('leave other values alone', () => {
    for (const value of [null, undefined, 'text', {}, new Error('other')]) {
      expect(value instanceof errors.BeckonError || value instanceof errors.AskExpiredError).toBe(false)
    }
  })

  it('tell a class that someone derives apart from its parent', () => {
    class Derived extends errors.UnauthorizedError {}
    expect(new errors.UnauthorizedError('a') instanceof Derived).toBe(false)
    expect(new Derived('a') instanceof Derived).toBe(true)
    expect(new Derived('a') instanceof errors.UnauthorizedError).toBe(true)
  })

  it('name the mode that is missing', () => {
    expect(new errors.ElicitationNotAvailableError('url').message).toContain('ctx.canAsk.url')
    expect(new errors.ElicitationNotAvailableError().message).toContain('ctx.canAsk.form')
  })
})

describe('the sentence of a code', () => {
  const sentences: Sentences<{ gone: null; late: { by?: string } }> = {
    gone: 'It is gone.',
    late: ({ by }: { by?: string }) => `It is late by ${by ?? 'an unknown time'}.`,
  }

  it('is made with its parameters, and without those that came from elsewhere and are missing', () => {
    expect(sentenceOf(sentences, { code: 'gone' })).toBe('It is gone.')
    expect(sentenceOf(sentences, { code: 'late', params: { by: 'a day' } })).toBe('It is late by a day.')
    expect(sentenceOf(sentences, { code: 'late' } as AnyCoded)).toBe('It is late by an unknown time.')
  })

  it('is undefined for a code that is not known, also one that every object has', () => {
    for (const code of ['new', 'toString']) expect(sentenceOf(sentences, { code } as AnyCoded)).toBeUndefined()
  })
})

it('blames the client for what could not be shown only where nothing else is known to be the cause', () => {
  expect(new errors.ElicitationNotAvailableError('url').message).toContain('The client cannot show a url to a person.')
  const cause = new Error('The desk answered: no')
  const failed = new errors.ElicitationNotAvailableError('form', { cause })
  expect(failed.message).toBe('Nobody could be asked: showing the form failed.')
  expect(failed.cause).toBe(cause)
})
