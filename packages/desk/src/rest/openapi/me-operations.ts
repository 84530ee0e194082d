import { body, refusals, reply } from './parts.js'
import type { Schema } from './shapes.js'

export const mePaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/api/me': {
    get: {
      operationId: 'readMe',
      summary: 'Who you are on this desk',
      responses: { 200: reply('Your name, role and groups here.', 'Me'), ...refusals() },
    },
  },
  '/api/me/away': {
    get: {
      operationId: 'readAway',
      summary: 'Whether you are away, or will be',
      responses: { 200: reply('From when, until when, and who stands in for you.', 'Away'), ...refusals(404) },
    },
    put: {
      operationId: 'setAway',
      summary: 'Has someone stand in for you: asks that are for you by name are for them, too, while you are away',
      requestBody: body('AwayBody', true),
      responses: { 200: reply('It holds, on every node.', 'Away'), ...refusals(400, 403, 413, 415, 422, 429) },
    },
    delete: {
      operationId: 'removeAway',
      summary: 'Says that you are back',
      responses: { 200: reply('Nobody stands in for you any more.', 'Nothing'), ...refusals(404) },
    },
  },
}
