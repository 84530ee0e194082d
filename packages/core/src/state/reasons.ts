import type { Refusal } from '../refusals/refusal.js'

export const notAnAction: Refusal = actionInvalid('type', 'a string')
export const notForClients: Refusal = { code: 'not-allowed' }
export const askEnded: Refusal = { code: 'ask-ended', params: {} }
export const notOpen: Refusal = { code: 'ask-not-found' }

export function actionInvalid(field: string, expected: string): Refusal {
  return { code: 'action-invalid', params: { field, expected } }
}
