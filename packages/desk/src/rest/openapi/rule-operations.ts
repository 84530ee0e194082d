import type { Operations } from './operations.js'
import { body, parameter, refusals, reply } from './parts.js'

export const ruleOperations: Operations<'listRules' | 'addRule' | 'removeRule' | 'tryRule'> = {
  listRules: {
    method: 'GET',
    path: '/api/rules',
    summary: 'Your own rules; for admins and auditors, all',
    responses: { 200: reply('The rules.', 'Rules'), ...refusals() },
  },
  addRule: {
    method: 'POST',
    path: '/api/rules',
    summary: 'Makes a rule of your own; an admin makes one for the whole desk, unless own is true',
    requestBody: body('RuleBody', true),
    responses: { 201: reply('It holds from now on, on every node.', 'Rule'), ...refusals(403, 409, 413, 415, 422) },
  },
  removeRule: {
    method: 'DELETE',
    path: '/api/rules/{id}',
    summary: 'Removes a rule of your own; for admins, any that is in the store',
    parameters: [parameter('path', 'id', 'The id of the rule.')],
    responses: { 200: reply('It decides nothing any more, on any node.', 'Nothing'), ...refusals(403, 404) },
  },
  tryRule: {
    method: 'POST',
    path: '/api/rules/try',
    summary: 'Which calls of the last seven days, of those that you may see, a rule would have been about',
    requestBody: body('RuleBody', true),
    responses: { 200: reply('The calls, and how far it looked.', 'DryRun'), ...refusals(403, 413, 415, 422) },
  },
}
