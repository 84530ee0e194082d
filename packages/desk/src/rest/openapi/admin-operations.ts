import { body, parameter, refusals, reply } from './parts.js'
import type { Schema } from './shapes.js'

const principal = parameter('path', 'principal', 'Whose.')
const server = parameter('path', 'server', 'The name of the server.')
const ended = { 200: reply('How many there were.', 'SignedOut'), ...refusals(403, 404) }

/** What only admins can request; for others it is refused, which the audit has. */
export const adminPaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/api/admin': {
    get: {
      operationId: 'readAdmin',
      summary: 'Whether you are an admin',
      responses: { 200: reply('You are.', 'Admin'), ...refusals(403) },
    },
  },
  '/api/admin/people': {
    get: {
      operationId: 'listPeople',
      summary: 'Everyone who was let in, the last one first',
      parameters: [
        parameter('query', 'limit', 'At most so many, up to 200. Default: 50.', { type: 'integer', minimum: 1 }),
        parameter('query', 'cursor', 'nextCursor of the page before.'),
      ],
      responses: { 200: reply('A page of people.', 'People'), ...refusals(400, 403) },
    },
  },
  '/api/admin/people/{principal}': {
    get: {
      operationId: 'exportPerson',
      summary: 'All that is kept of someone, and what they did as the audit has it',
      parameters: [principal],
      responses: { 200: reply('By part.', 'PersonExport'), ...refusals(403) },
    },
    delete: {
      operationId: 'erasePerson',
      summary: 'Erases all that is kept of someone, and ends their sessions; the audit stays',
      parameters: [principal],
      responses: { 200: reply('Which parts had something.', 'Erased'), ...refusals(403) },
    },
  },
  '/api/admin/people/{principal}/sessions': {
    get: {
      operationId: 'listSignIns',
      summary: 'Where someone is signed in',
      parameters: [principal],
      responses: { 200: reply('Their sessions.', 'SignIns'), ...refusals(403) },
    },
    delete: {
      operationId: 'endSignIns',
      summary: 'Signs someone out everywhere',
      parameters: [principal],
      responses: ended,
    },
  },
  '/api/admin/people/{principal}/sessions/{id}': {
    delete: {
      operationId: 'endSignIn',
      summary: 'Signs someone out in one place',
      parameters: [principal, parameter('path', 'id', 'The id of the session.')],
      responses: ended,
    },
  },
  '/api/admin/tokens': {
    get: {
      operationId: 'listTokens',
      summary: 'The tokens of servers that are in the store',
      responses: { 200: reply('Without the tokens themselves.', 'ServerTokens'), ...refusals(403) },
    },
    post: {
      operationId: 'createToken',
      summary: 'Makes a token for a server that has none; it is good at once, on every node',
      requestBody: body('TokenBody', true),
      responses: { 201: reply('It is shown this once.', 'NewServerToken'), ...refusals(400, 403, 409) },
    },
  },
  '/api/admin/tokens/{server}/rotate': {
    post: {
      operationId: 'rotateToken',
      summary: 'Makes another token for a server; the old one stays good for an hour, or as long as it says',
      parameters: [server],
      requestBody: body('RotateBody', false),
      responses: { 200: reply('It is shown this once.', 'NewServerToken'), ...refusals(400, 403, 404) },
    },
  },
  '/api/admin/tokens/{server}': {
    delete: {
      operationId: 'revokeTokens',
      summary: 'Takes back the tokens of a server, on every node within a second',
      parameters: [server],
      responses: { 200: reply('How many there were.', 'Revoked'), ...refusals(403, 404) },
    },
  },
  '/api/admin/asks/{session}/{id}/withdraw': {
    post: {
      operationId: 'withdrawAsk',
      summary: 'Withdraws an open ask: its server hears that nobody answered',
      parameters: [
        parameter('path', 'session', 'The session of the ask.'),
        parameter('path', 'id', 'The id of the ask.'),
      ],
      responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(403, 404) },
    },
  },
}
