import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOfStatus, refusalOf, refusals } from './refusals.js'

describe('the codes of refusals', () => {
  it('are all in the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/desk.md', import.meta.url), 'utf8')
    const missing = [...Object.keys(refusals), 'recorded'].filter(code => !page.includes(`\`${code}\``))
    expect(missing).toEqual([])
  })

  it.each([
    ['chat/inputCompleted', 'Name: An answer is required.', 'answer-required'],
    ['session/inputAnswerChanged', 'Words that are new.', 'answer-invalid'],
    ['chat/turnStarted', 'Words that are new.', 'action-invalid'],
    ['', 'An action must be an object with a type.', 'action-invalid'],
  ])('say of %s what the model says: %s', (type, reason, code) => {
    expect(refusalOf(type, reason)).toEqual({ code, reason })
  })

  it('are there for an answer that has only a status, and for none that is no refusal', () => {
    expect([401, 403, 405, 429, 503].map(codeOfStatus)).toEqual([
      'sign-in-required',
      'not-allowed',
      'method-not-allowed',
      'too-many',
      'unavailable',
    ])
    expect([200, 303, 500].map(codeOfStatus)).toEqual([undefined, undefined, undefined])
  })
})
