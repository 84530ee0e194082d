import type { Coded } from '../errors/coded.js'
import type { FieldProblem } from '../forms/field-problem.js'

/** What a sentence about each refusal of a desk is made of: nothing that is not for who is refused, and never an answer. */
export interface RefusalParams {
  /** `detail` is for the author of the program that sent it. */
  'request-invalid': { readonly detail: string }
  'action-invalid': { readonly field: string; readonly expected: string }
  'not-allowed': null
  'origin-not-allowed': null
  /** Someone who may look, and no more. */
  'read-only': null
  'auditors-only': null
  'name-reserved': { readonly prefix: string }
  'person-unknown': null
  'group-left': null
  'own-request': null
  'sign-in-required': { readonly way: 'link' | 'provider' | 'token' | 'unknown'; readonly host?: string }
  'session-not-found': null
  'session-exists': null
  'not-found': null
  'ask-not-found': null
  /** With who answered and how, where the one who is refused may know. */
  'ask-ended': { readonly by?: string; readonly rule?: string; readonly response?: string }
  'ask-expired': null
  'passkey-required': null
  'passkey-missing': null
  'passkey-invalid': { readonly why: 'unknown' | 'challenge' | 'invalid' | 'cloned' | 'changed' }
  'too-many-passkeys': null
  'question-not-found': null
  'answer-required': { readonly question: string; readonly title?: string }
  /** Without a question there are several: each has an issue of its own. */
  'answer-invalid': { readonly question?: string; readonly title?: string; readonly problem?: FieldProblem }
  'answers-incomplete': { readonly question: string; readonly title: string }
  /** `detail` is for the author of the rule. */
  'rule-invalid': { readonly detail: string }
  'rule-exists': { readonly id: string }
  'too-many-rules': { readonly of: 'desk' | 'person' | 'people'; readonly max: number }
  'reason-too-long': { readonly max: number }
  'comment-too-long': { readonly max: number }
  'too-many-comments': { readonly max: number }
  /** Why an ask does not go to someone else. */
  'cannot-delegate': {
    readonly why: 'self' | 'requester' | 'personal' | 'unseen' | 'returned' | 'quorum' | 'too-often'
  }
  'away-invalid': { readonly why: 'self' | 'times' | 'unseen' }
  'turn-in-progress': null
  'turn-not-active': null
  'turn-exists': null
  'turn-not-found': null
  conflict: null
  'method-not-allowed': { readonly allow: string }
  'too-large': { readonly maxBytes?: number }
  'ask-too-large': { readonly maxBytes: number }
  'not-json': null
  'too-many': null
  'too-many-attempts': { readonly seconds: number }
  'too-many-feeds': null
  'too-many-sessions': { readonly max: number }
  'too-many-asks': { readonly of: 'session' | 'server' | 'caller' | 'desk'; readonly max: number }
  'session-full': { readonly maxBytes: number }
  unavailable: null
}

/** What comes back to a client whose action did not go through. */
export interface RejectionParams extends RefusalParams {
  /** No refusal: an answer that counts, where more people have to give it. */
  recorded: { readonly count: number; readonly of: number }
}

/** Why a desk does not do something: a code, which stays, and what a sentence about it is made of. */
export type Refusal = Coded<RefusalParams>

/** Says for good why something was refused. */
export type RefusalCode = Refusal['code']

/** A refusal, or that an answer is recorded where more are needed. */
export type Rejection = Coded<RejectionParams>
