import type { Operations } from './operations.js'
import { body, parameter, refusals, reply } from './parts.js'
import { exactly, object, ref, type Schema } from './shapes.js'

const text = { type: 'string' } as const
const span = { type: 'integer', minimum: 0, maximum: 86_400_000, description: 'Milliseconds.' } as const
const channel = { isOn: { type: 'boolean' }, delayMs: span, digestMs: span }
const quiet = { from: { type: 'string', description: 'Such as 22:00.' }, to: text, timeZone: text }
const byName = (schema: Schema): Schema => ({ type: 'object', additionalProperties: schema })
const where = { language: text, timeZone: text }

export const notifySchemas: Readonly<Record<string, Schema>> = {
  QuietHours: exactly(quiet),
  NotifySettings: object(
    {
      channels: byName(
        object(
          { ...channel, canDigest: { type: 'boolean' }, canTest: { type: 'boolean' } },
          {
            state: {
              type: 'object',
              description: 'What the channel shows: keys and devices for push, an address for email.',
            },
          },
        ),
      ),
    },
    { quiet: ref('QuietHours'), ...where },
  ),
  NotifySettingsBody: exactly({}, { channels: byName(exactly(channel)), quiet: ref('QuietHours'), ...where }),
  NotifyTestBody: exactly({ channel: text }),
  NotifyTested: object({ isSent: { type: 'boolean' } }),
  PushSubscription: {
    ...object({ endpoint: text, keys: object({ p256dh: text, auth: text }) }),
    description: 'As a browser gives it.',
  },
  PushAdded: object({ id: text }),
  AddressBody: exactly({ address: text }),
  CodeBody: exactly({ code: text }),
}

/** What a desk that tells people has beside. On any other it is not found. */
export const notifyOperations: Operations<'readNotifySettings' | 'writeNotifySettings' | 'testNotify'> = {
  readNotifySettings: {
    method: 'GET',
    path: '/api/notify',
    summary: 'How you are told of asks',
    responses: { 200: reply('Your settings.', 'NotifySettings'), ...refusals() },
  },
  writeNotifySettings: {
    method: 'PUT',
    path: '/api/notify',
    summary: 'Sets how you are told of asks',
    requestBody: body('NotifySettingsBody', true),
    responses: { 200: reply('Your settings.', 'NotifySettings'), ...refusals(400, 404) },
  },
  testNotify: {
    method: 'POST',
    path: '/api/notify/test',
    summary: 'Sends you a test',
    requestBody: body('NotifyTestBody', true),
    responses: { 200: reply('Whether it was sent.', 'NotifyTested'), ...refusals(400, 404) },
  },
}

/** What the channels of this package bring along, where a desk has them. */
export const channelOperations: Operations<
  'addPushSubscription' | 'removePushSubscription' | 'setNotifyAddress' | 'removeNotifyAddress' | 'confirmNotifyAddress'
> = {
  addPushSubscription: {
    method: 'POST',
    path: '/api/notify/push/subscriptions',
    summary: 'Has a device of yours told by push',
    requestBody: body('PushSubscription', true),
    responses: { 200: reply('It is yours.', 'PushAdded'), ...refusals(400, 404) },
  },
  removePushSubscription: {
    method: 'DELETE',
    path: '/api/notify/push/subscriptions/{id}',
    summary: 'Has a device of yours told no longer',
    parameters: [parameter('path', 'id', 'The id of the subscription.')],
    responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(404) },
  },
  setNotifyAddress: {
    method: 'POST',
    path: '/api/notify/email/address',
    summary: 'Sends a code to an address, which is yours once you confirm it',
    requestBody: body('AddressBody', true),
    responses: { 200: reply('The code was sent.', 'Nothing'), ...refusals(400, 404) },
  },
  removeNotifyAddress: {
    method: 'DELETE',
    path: '/api/notify/email/address',
    summary: 'Removes the address that you set',
    responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(404) },
  },
  confirmNotifyAddress: {
    method: 'POST',
    path: '/api/notify/email/confirm',
    summary: 'Confirms an address with the code that was sent to it',
    requestBody: body('CodeBody', true),
    responses: { 200: reply('It is your address.', 'Nothing'), ...refusals(400, 404) },
  },
}
