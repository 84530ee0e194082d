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

/** What a desk that tells people has beside; what is of a channel, where it has that. On any other it is not found. */
export const notifyPaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/api/notify': {
    get: {
      operationId: 'readNotifySettings',
      summary: 'How you are told of asks',
      responses: { 200: reply('Your settings.', 'NotifySettings'), ...refusals() },
    },
    put: {
      operationId: 'writeNotifySettings',
      summary: 'Sets how you are told of asks',
      requestBody: body('NotifySettingsBody', true),
      responses: { 200: reply('Your settings.', 'NotifySettings'), ...refusals(400, 404) },
    },
  },
  '/api/notify/test': {
    post: {
      operationId: 'testNotify',
      summary: 'Sends you a test',
      requestBody: body('NotifyTestBody', true),
      responses: { 200: reply('Whether it was sent.', 'NotifyTested'), ...refusals(400, 404) },
    },
  },
  '/api/notify/push/subscriptions': {
    post: {
      operationId: 'addPushSubscription',
      summary: 'Has a device of yours told by push',
      requestBody: body('PushSubscription', true),
      responses: { 200: reply('It is yours.', 'PushAdded'), ...refusals(400, 404) },
    },
  },
  '/api/notify/push/subscriptions/{id}': {
    delete: {
      operationId: 'removePushSubscription',
      summary: 'Has a device of yours told no longer',
      parameters: [parameter('path', 'id', 'The id of the subscription.')],
      responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(404) },
    },
  },
  '/api/notify/email/address': {
    post: {
      operationId: 'setNotifyAddress',
      summary: 'Sends a code to an address, which is yours once you confirm it',
      requestBody: body('AddressBody', true),
      responses: { 200: reply('The code was sent.', 'Nothing'), ...refusals(400, 404) },
    },
    delete: {
      operationId: 'removeNotifyAddress',
      summary: 'Removes the address that you set',
      responses: { 200: reply('It is gone.', 'Nothing'), ...refusals(404) },
    },
  },
  '/api/notify/email/confirm': {
    post: {
      operationId: 'confirmNotifyAddress',
      summary: 'Confirms an address with the code that was sent to it',
      requestBody: body('CodeBody', true),
      responses: { 200: reply('It is your address.', 'Nothing'), ...refusals(400, 404) },
    },
  },
}
