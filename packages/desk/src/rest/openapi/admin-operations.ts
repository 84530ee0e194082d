import type { Operations } from './operations.js'
import { body, parameter, refusals, reply } from './parts.js'

const principal = parameter('path', 'principal', 'Whose.')
const server = parameter('path', 'server', 'The name of the server.')
const ended = { 200: reply('How many there were.', 'SignedOut'), ...refusals(403, 404) }

/** What only admins can request; for others it is refused, which the audit has. */
export const adminOperations: Operations<
  | 'readAdmin'
  | 'listPeople'
  | 'exportPerson'
  | 'erasePerson'
  | 'listSignIns'
  | 'endSignIns'
  | 'endSignIn'
  | 'listTokens'
  | 'createToken'
  | 'rotateToken'
  | 'revokeTokens'
  | 'adminListAsks'
  | 'adminWithdrawAsk'
> = {
  readAdmin: {
    method: 'GET',
    path: '/api/admin',
    summary: 'Whether you are an admin',
    responses: { 200: reply('You are.', 'Admin'), ...refusals(403) },
  },
  listPeople: {
    method: 'GET',
    path: '/api/admin/people',
    summary: 'Everyone who was let in, the last one first',
    parameters: [
      parameter('query', 'limit', 'At most so many, up to 200. Default: 50.', { type: 'integer', minimum: 1 }),
      parameter('query', 'cursor', 'nextCursor of the page before.'),
    ],
    responses: { 200: reply('A page of people.', 'People'), ...refusals(400, 403) },
  },
  exportPerson: {
    method: 'GET',
    path: '/api/admin/people/{principal}',
    summary: 'All that is kept of someone, and what they did as the audit has it',
    parameters: [principal],
    responses: { 200: reply('By part.', 'PersonExport'), ...refusals(403) },
  },
  erasePerson: {
    method: 'DELETE',
    path: '/api/admin/people/{principal}',
    summary: 'Erases all that is kept of someone, and ends their sessions; the audit stays',
    parameters: [principal],
    responses: { 200: reply('Which parts had something.', 'Erased'), ...refusals(403) },
  },
  listSignIns: {
    method: 'GET',
    path: '/api/admin/people/{principal}/sessions',
    summary: 'Where someone is signed in',
    parameters: [principal],
    responses: { 200: reply('Their sessions.', 'SignIns'), ...refusals(403) },
  },
  endSignIns: {
    method: 'DELETE',
    path: '/api/admin/people/{principal}/sessions',
    summary: 'Signs someone out everywhere',
    parameters: [principal],
    responses: ended,
  },
  endSignIn: {
    method: 'DELETE',
    path: '/api/admin/people/{principal}/sessions/{id}',
    summary: 'Signs someone out in one place',
    parameters: [principal, parameter('path', 'id', 'The id of the session.')],
    responses: ended,
  },
  listTokens: {
    method: 'GET',
    path: '/api/admin/tokens',
    summary: 'The tokens of servers that are in the store',
    responses: { 200: reply('Without the tokens themselves.', 'ServerTokens'), ...refusals(403) },
  },
  createToken: {
    method: 'POST',
    path: '/api/admin/tokens',
    summary: 'Makes a token for a server that has none; it is good at once, on every node',
    requestBody: body('TokenBody', true),
    responses: { 201: reply('It is shown this once.', 'NewServerToken'), ...refusals(400, 403, 409) },
  },
  rotateToken: {
    method: 'POST',
    path: '/api/admin/tokens/{server}/rotate',
    summary: 'Makes another token for a server; the old one stays good for an hour, or as long as it says',
    parameters: [server],
    requestBody: body('RotateBody', false),
    responses: { 200: reply('It is shown this once.', 'NewServerToken'), ...refusals(400, 403, 404) },
  },
  revokeTokens: {
    method: 'DELETE',
    path: '/api/admin/tokens/{server}',
    summary: 'Takes back the tokens of a server, on every node within a second',
    parameters: [server],
    responses: { 200: reply('How many there were.', 'Revoked'), ...refusals(403, 404) },
  },
  adminListAsks: {
    method: 'GET',
    path: '/api/admin/asks',
    summary: 'Open asks, no matter who is asked, the newest first',
    responses: { 200: reply('Of more than 1,000, those that are due first.', 'OpenAsks'), ...refusals(403) },
  },
  adminWithdrawAsk: {
    method: 'POST',
    path: '/api/admin/asks/{session}/{id}/withdraw',
    summary: 'Withdraws an open ask: its server hears that nobody answered',
    parameters: [
      parameter('path', 'session', 'The session of the ask.'),
      parameter('path', 'id', 'The id of the ask.'),
    ],
    responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(403, 404) },
  },
}
