import { describeRefusal, type Rejection, type RejectionParams } from '@beckon/core/live'
import { describe, expect, it } from 'vitest'
import { refusalIn } from '../refusals.js'
import { de } from './de.js'
import { en } from './en.js'

/** One of each: a code that is new has to be here, too. */
const samples: { readonly [C in keyof RejectionParams]: RejectionParams[C] } = {
  'request-invalid': { detail: 'limit is a whole number from 1.' },
  'action-invalid': { field: 'title', expected: 'a string' },
  'not-allowed': null,
  'origin-not-allowed': null,
  'read-only': null,
  'auditors-only': null,
  'name-reserved': { prefix: 'call-' },
  'person-unknown': null,
  'group-left': null,
  'own-request': null,
  'sign-in-required': { way: 'provider', host: 'id.example' },
  'session-not-found': null,
  'session-exists': null,
  'not-found': null,
  'ask-not-found': null,
  'ask-ended': { by: 'ana', response: 'accept' },
  'ask-expired': null,
  'passkey-required': null,
  'passkey-missing': null,
  'passkey-invalid': { why: 'changed' },
  'too-many-passkeys': null,
  'question-not-found': null,
  'answer-required': { question: 'name', title: 'Name' },
  'answer-invalid': { question: 'age', title: 'Age', problem: { code: 'too-low', params: { min: 18 } } },
  'answers-incomplete': { question: 'name', title: 'Name' },
  'rule-invalid': { detail: 'effect is one of allow, deny and ask.' },
  'rule-exists': { id: 'small' },
  'too-many-rules': { of: 'person', max: 100 },
  'reason-too-long': { max: 2_000 },
  'comment-too-long': { max: 2_000 },
  'too-many-comments': { max: 50 },
  'cannot-delegate': { why: 'requester' },
  'away-invalid': { why: 'times' },
  'turn-in-progress': null,
  'turn-not-active': null,
  'turn-exists': null,
  'turn-not-found': null,
  conflict: null,
  'method-not-allowed': { allow: 'GET' },
  'too-large': { maxBytes: 1_024 },
  'ask-too-large': { maxBytes: 1_024 },
  'not-json': null,
  'too-many': null,
  'too-many-attempts': { seconds: 30 },
  'too-many-feeds': null,
  'too-many-sessions': { max: 100 },
  'too-many-asks': { of: 'session', max: 1_000 },
  'session-full': { maxBytes: 1_024 },
  unavailable: null,
  recorded: { count: 1, of: 2 },
}

const all = Object.entries(samples).map(([code, params]) => ({ code, ...(params && { params }) }) as Rejection)
const reason = 'As the desk said it.'

describe('why a desk refused something', () => {
  it.each(all)('is said in both languages of $code, from its parameters', refusal => {
    const english = en.refused({ ...refusal, reason })
    const german = de.refused({ ...refusal, reason })
    expect(english).toBe(describeRefusal(refusal))
    for (const sentence of [english, german]) {
      expect(sentence).toMatch(/^\S.*\.$/)
      expect(sentence).not.toMatch(/undefined|\[object|As the desk/)
    }
    expect(german).not.toBe(english)
  })

  it('is said with what the parameters have', () => {
    const said = (code: string, params?: Readonly<Record<string, unknown>>) => de.refused({ code, params, reason })
    expect(said('answer-invalid', samples['answer-invalid'])).toBe('Age: Geben Sie 18 oder mehr ein.')
    expect(said('answer-required', { question: 'name', title: 'Name' })).toBe('Name: Eine Antwort ist nötig.')
    expect(said('recorded', { count: 1, of: 2 })).toContain('1 von 2')
    expect(said('sign-in-required', { way: 'provider', host: 'id.example' })).toBe('Melden Sie sich bei id.example an.')
    expect(said('sign-in-required', { way: 'link' })).toMatch(/^Öffnen Sie den Link/)
  })

  it.each([
    ['a code that is new', { code: 'something-new', params: { max: 1 } }],
    ['no code', {}],
    ['a code like an innard', { code: 'toString' }],
    ['a parameter that is new', { code: 'passkey-invalid', params: { why: 'later' } }],
    ['parameters that are missing', { code: 'sign-in-required' }],
  ])('is said as the desk says it for %s', (_what, refusal) => {
    expect(en.refused({ ...refusal, reason })).toBe(reason)
    expect(de.refused({ ...refusal, reason })).toBe(reason)
  })

  it('is an answer that cannot be taken where what is wrong with it is new', () => {
    const params = { question: 'age', title: 'Age', problem: { code: 'later' } }
    expect(en.refused({ code: 'answer-invalid', params, reason })).toBe('Age: Some answers cannot be taken.')
    expect(de.refused({ code: 'answer-invalid', params, reason })).toMatch(/^Age: So /)
  })

  it('is said in the language of a client of the desk', () => {
    const refusal = { code: 'too-long', params: {} }
    expect(refusalIn('de-AT', { code: 'ask-ended', params: {} }, reason)).toBe('Diese Frage ist nicht mehr offen.')
    expect(refusalIn('fr', { code: 'ask-ended', params: {} }, reason)).toBe('This request is no longer open.')
    expect(refusalIn('de', refusal, reason)).toBe(reason)
  })
})
