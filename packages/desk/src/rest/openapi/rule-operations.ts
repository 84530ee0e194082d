import { body, parameter, refusals, reply } from './parts.js'
import type { Schema } from './shapes.js'

export const rulePaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/api/rules': {
    get: {
      operationId: 'listRules',
      summary: 'Your own rules; for admins and auditors, all',
      responses: { 200: reply('The rules.', 'Rules'), ...refusals() },
    },
    post: {
      operationId: 'addRule',
      summary: 'Makes a rule of your own; an admin makes one for the whole desk, unless own is true',
      requestBody: body('RuleBody', true),
      responses: { 201: reply('It holds from now on, on every node.', 'Rule'), ...refusals(403, 409, 413, 415, 422) },
    },
  },
  '/api/rules/{id}': {
    delete: {
      operationId: 'removeRule',
      summary: 'Removes a rule of your own; for admins, any that is in the store',
      parameters: [parameter('path', 'id', 'The id of the rule.')],
      responses: { 200: reply('It decides nothing any more, on any node.', 'Nothing'), ...refusals(403, 404) },
    },
  },
  '/api/rules/try': {
    post: {
      operationId: 'tryRule',
      summary: 'Which calls of the last seven days, of those that you may see, a rule would have been about',
      requestBody: body('RuleBody', true),
      responses: { 200: reply('The calls, and how far it looked.', 'DryRun'), ...refusals(403, 413, 415, 422) },
    },
  },
}
