import { type Sentences, sentenceOf } from '../errors/coded.js'
import { describeFieldProblem } from '../forms/field-problem.js'
import type { RefusalParams, Rejection, RejectionParams } from './refusal.js'

const passkeyInvalid: Readonly<Record<RefusalParams['passkey-invalid']['why'], string>> = {
  unknown: 'This passkey is not one of yours here.',
  challenge: 'This was confirmed before, took too long, or was for something else. Confirm again.',
  invalid: 'The passkey could not be checked. Confirm again, and let the device verify that it is you.',
  cloned:
    'The device counts as if there were two of it, so its word is not taken. Use another passkey, and remove this one.',
  changed: 'The ask or its answers have changed since you confirmed. Look again, and confirm again.',
}

const signIn: Readonly<Record<Exclude<RefusalParams['sign-in-required']['way'], 'provider'>, string>> = {
  link: 'Open the one-time link that the desk printed when it started, or ask it for a new one.',
  token: 'The token is missing, wrong or no longer good.',
  unknown: 'The desk does not know who this is.',
}

const whoHasRules: Readonly<Record<RefusalParams['too-many-rules']['of'], string>> = {
  desk: 'This desk has',
  person: 'You have',
  people: 'People on this desk have, of their own,',
}

const cannotDelegate: Readonly<Record<RefusalParams['cannot-delegate']['why'], string>> = {
  self: 'This is yours already.',
  requester: 'They asked for this: others have to accept it.',
  personal: 'This is about who you are: nobody else can answer it.',
  unseen: 'Nobody with this name has ever used this desk. Is it the name they have here?',
  returned: 'They have handed this on themselves.',
  quorum: 'That would leave fewer people than have to accept this.',
  'too-often': 'This was handed on too often. Answer it, or decline it.',
}

const awayInvalid: Readonly<Record<RefusalParams['away-invalid']['why'], string>> = {
  self: 'Name somebody else who stands in for you.',
  times: 'You are away from a time until a later one, a year at most, and not only in the past.',
  unseen: cannotDelegate.unseen,
}

/** Why a desk refused something, in English. */
export const englishRefusals: Sentences<RejectionParams> = {
  'request-invalid': ({ detail }) => detail,
  'action-invalid': ({ field, expected }) => `In an action, ${field} must be ${expected}.`,
  'not-allowed': 'A client cannot send this action here.',
  'origin-not-allowed': 'The desk does not answer requests from there.',
  'read-only': 'You may view this, but not change or answer it.',
  'auditors-only': 'Only an auditor may do this.',
  'name-reserved': ({ prefix }) => `Names that begin with "${prefix}" are for calls.`,
  'person-unknown': 'This needs a person that the desk can identify, and it does not know who you are.',
  'group-left': 'You are no longer in a group that is asked this.',
  'own-request': 'You asked for this: others have to accept it.',
  'sign-in-required': ({ way, host }) => (way === 'provider' ? `Sign in with ${host} to use this desk.` : signIn[way]),
  'session-not-found': 'There is no such session.',
  'session-exists': 'A session with this name already exists.',
  'not-found': 'There is nothing here.',
  'ask-not-found': 'There is no such ask, or it is not for you.',
  'ask-ended': ({ rule, by = rule && `The rule "${rule}"`, response }) =>
    by === undefined ? 'This request is no longer open.' : `${by} has answered this already: ${response}.`,
  'ask-expired': 'The time to answer this has run out.',
  'passkey-required': 'This is accepted with your passkey, and not by a click.',
  'passkey-missing': 'You have no passkey here yet. Add one first.',
  'passkey-invalid': ({ why }) => passkeyInvalid[why],
  'too-many-passkeys': 'You cannot add another passkey now.',
  'question-not-found': 'This request has no such question.',
  'answer-required': ({ title }) => after(title, describeFieldProblem({ code: 'required' })),
  'answer-invalid': ({ title, problem }) =>
    after(title, (problem && describeFieldProblem(problem)) ?? 'Some answers cannot be taken.'),
  'answers-incomplete': ({ title }) =>
    `Several people have to accept the same answers, so send all of them: "${title}" is missing.`,
  'rule-invalid': ({ detail }) => detail,
  'rule-exists': ({ id }) => `A rule with the id "${id}" already exists.`,
  'too-many-rules': ({ of, max }) => `${whoHasRules[of]} ${max} rules. Remove some first.`,
  'reason-too-long': ({ max }) => `A reason has at most ${max} characters.`,
  'comment-too-long': ({ max }) => `A comment has at most ${max} characters.`,
  'too-many-comments': ({ max }) => `This has ${max} comments, and takes no more.`,
  'cannot-delegate': ({ why }) => cannotDelegate[why],
  'away-invalid': ({ why }) => awayInvalid[why],
  'turn-in-progress': 'Another turn is in progress.',
  'turn-not-active': 'This turn is not in progress.',
  'turn-exists': 'A turn with this id already exists.',
  'turn-not-found': 'There is no such turn.',
  conflict: 'There is an ask with this id, and it asks something else. Give this one an id of its own.',
  'method-not-allowed': ({ allow }) => `This takes ${allow}.`,
  'too-large': ({ maxBytes }) =>
    maxBytes === undefined ? 'This is more than the desk keeps. Send less.' : `A body has at most ${maxBytes} bytes.`,
  'ask-too-large': ({ maxBytes }) =>
    `An ask has at most ${maxBytes} bytes, with arguments and audience. Ask about less.`,
  'not-json': 'Send application/json.',
  'too-many': 'Too many requests at once. Wait a moment, and try again.',
  'too-many-attempts': ({ seconds }) =>
    `Too many wrong keys or tokens came from this address. Try again in ${seconds} s.`,
  'too-many-feeds': 'You have too many event feeds open. Close one first.',
  'too-many-sessions': ({ max }) => `You have made ${max} sessions. Dispose of some first.`,
  'too-many-asks': ({ of, max }) => `The ${of} has ${max} open asks, and takes no more before some are answered.`,
  'session-full': ({ maxBytes }) =>
    `What is open in the session has ${maxBytes} bytes, and takes no more before some of it is answered.`,
  unavailable: 'The desk could not keep this. Send it again.',
  recorded: ({ count, of }) => `Your answer is recorded: ${count} of ${of} have accepted.`,
}

/** Why a desk refused something, as one sentence in English. */
export function describeRefusal(refusal: Rejection): string {
  return sentenceOf(englishRefusals, refusal)
}

function after(title: string | undefined, sentence: string): string {
  return title === undefined ? sentence : `${title}: ${sentence}`
}
