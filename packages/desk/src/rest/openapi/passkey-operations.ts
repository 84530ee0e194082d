import type { Operations } from './operations.js'
import { body, parameter, refusals, reply } from './parts.js'

const id = [parameter('path', 'id', 'The id of the passkey.')]

/** What a desk with passkeys has beside. On any other only the first is found, and says so. */
export const passkeyOperations: Operations<
  | 'listPasskeys'
  | 'addPasskey'
  | 'passkeyOptions'
  | 'removePasskeyOptions'
  | 'removePasskey'
  | 'listPasskeysOf'
  | 'removePasskeysOf'
  | 'challengeForAsk'
> = {
  listPasskeys: {
    method: 'GET',
    path: '/api/passkeys',
    summary: 'Your passkeys',
    responses: { 200: reply('Your passkeys.', 'Passkeys'), ...refusals(403) },
  },
  addPasskey: {
    method: 'POST',
    path: '/api/passkeys',
    summary: 'Adds a passkey that your browser has made; for a second one, with one that you have',
    requestBody: body('PasskeyBody', true),
    responses: { 201: reply('It is yours.', 'Nothing'), ...refusals(400, 403, 404) },
  },
  passkeyOptions: {
    method: 'POST',
    path: '/api/passkeys/options',
    summary: 'What a browser needs to make a passkey',
    responses: { 200: reply('For the browser.', 'PasskeyOptions'), ...refusals(403, 404, 409) },
  },
  removePasskeyOptions: {
    method: 'POST',
    path: '/api/passkeys/{id}/options',
    summary: 'What a browser needs to remove a passkey',
    parameters: id,
    responses: { 200: reply('For the browser.', 'PasskeyOptions'), ...refusals(403, 404, 409) },
  },
  removePasskey: {
    method: 'POST',
    path: '/api/passkeys/{id}/remove',
    summary: 'Removes a passkey of yours, with one that you have',
    parameters: id,
    requestBody: body('PasskeyBody', true),
    responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(403, 404, 409) },
  },
  listPasskeysOf: {
    method: 'GET',
    path: '/api/people/{principal}/passkeys',
    summary: 'The passkeys of someone; for admins',
    parameters: [parameter('path', 'principal', 'Whose.')],
    responses: { 200: reply('When they were made, and used.', 'Passkeys'), ...refusals(403) },
  },
  removePasskeysOf: {
    method: 'DELETE',
    path: '/api/people/{principal}/passkeys',
    summary: 'Removes all passkeys of someone who lost theirs; for admins',
    parameters: [parameter('path', 'principal', 'Whose.')],
    responses: { 200: reply('How many there were.', 'Removed'), ...refusals(403, 404) },
  },
  challengeForAsk: {
    method: 'POST',
    path: '/api/asks/{session}/{id}/challenge',
    summary: 'What a browser needs to accept an ask with a passkey, with exactly these answers',
    parameters: [
      parameter('path', 'session', 'The session of the ask.'),
      parameter('path', 'id', 'The id of the ask.'),
    ],
    requestBody: body('AnswerBody', false),
    responses: { 200: reply('For the browser.', 'PasskeyOptions'), ...refusals(400, 403, 404, 409, 422) },
  },
}
