export type { Webhook, WebhookEvent } from './hook.js'
export type { WebhookMessage } from './message.js'
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './signature.js'
export { createWebhooks } from './webhooks.js'
