import { body, parameter, refusals, reply } from './parts.js'
import type { Schema } from './shapes.js'

const id = [parameter('path', 'id', 'The id of the passkey.')]

/** What a desk with passkeys has beside. On any other only the first is found, and says so. */
export const passkeyPaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/api/passkeys': {
    get: {
      operationId: 'listPasskeys',
      summary: 'Your passkeys',
      responses: { 200: reply('Your passkeys.', 'Passkeys'), ...refusals(403) },
    },
    post: {
      operationId: 'addPasskey',
      summary: 'Adds a passkey that your browser has made; for a second one, with one that you have',
      requestBody: body('PasskeyBody', true),
      responses: { 201: reply('It is yours.', 'Nothing'), ...refusals(400, 403, 404) },
    },
  },
  '/api/passkeys/options': {
    post: {
      operationId: 'passkeyOptions',
      summary: 'What a browser needs to make a passkey',
      responses: { 200: reply('For the browser.', 'PasskeyOptions'), ...refusals(403, 404, 409) },
    },
  },
  '/api/passkeys/{id}/options': {
    post: {
      operationId: 'removePasskeyOptions',
      summary: 'What a browser needs to remove a passkey',
      parameters: id,
      responses: { 200: reply('For the browser.', 'PasskeyOptions'), ...refusals(403, 404, 409) },
    },
  },
  '/api/passkeys/{id}/remove': {
    post: {
      operationId: 'removePasskey',
      summary: 'Removes a passkey of yours, with one that you have',
      parameters: id,
      requestBody: body('PasskeyBody', true),
      responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(403, 404, 409) },
    },
  },
  '/api/people/{principal}/passkeys': {
    get: {
      operationId: 'listPasskeysOf',
      summary: 'The passkeys of someone; for admins',
      parameters: [parameter('path', 'principal', 'Whose.')],
      responses: { 200: reply('When they were made, and used.', 'Passkeys'), ...refusals(403) },
    },
    delete: {
      operationId: 'removePasskeysOf',
      summary: 'Removes all passkeys of someone who lost theirs; for admins',
      parameters: [parameter('path', 'principal', 'Whose.')],
      responses: { 200: reply('How many there were.', 'Removed'), ...refusals(403, 404) },
    },
  },
  '/api/asks/{session}/{id}/challenge': {
    post: {
      operationId: 'challengeForAsk',
      summary: 'What a browser needs to accept an ask with a passkey, with exactly these answers',
      parameters: [
        parameter('path', 'session', 'The session of the ask.'),
        parameter('path', 'id', 'The id of the ask.'),
      ],
      requestBody: body('AnswerBody', false),
      responses: { 200: reply('For the browser.', 'PasskeyOptions'), ...refusals(400, 403, 404, 409, 422) },
    },
  },
}
