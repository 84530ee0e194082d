import type { Operations } from './operations.js'
import { body, refusals, reply } from './parts.js'

export const meOperations: Operations<'readMe' | 'readAway' | 'setAway' | 'removeAway'> = {
  readMe: {
    method: 'GET',
    path: '/api/me',
    summary: 'Who you are on this desk',
    responses: { 200: reply('Your name, role and groups here.', 'Me'), ...refusals() },
  },
  readAway: {
    method: 'GET',
    path: '/api/me/away',
    summary: 'Whether you are away, or will be',
    responses: { 200: reply('From when, until when, and who stands in for you.', 'Away'), ...refusals(404) },
  },
  setAway: {
    method: 'PUT',
    path: '/api/me/away',
    summary: 'Has someone stand in for you: asks that are for you by name are for them, too, while you are away',
    requestBody: body('AwayBody', true),
    responses: { 200: reply('It holds, on every node.', 'Away'), ...refusals(400, 403, 413, 415, 422, 429) },
  },
  removeAway: {
    method: 'DELETE',
    path: '/api/me/away',
    summary: 'Says that you are back',
    responses: { 200: reply('Nobody stands in for you any more.', 'Nothing'), ...refusals(404) },
  },
}
