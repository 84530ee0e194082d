import { adminOperations } from './admin-operations.js'
import { askOperations, serverOperations } from './ask-operations.js'
import { meOperations } from './me-operations.js'
import { channelOperations, notifyOperations } from './notify-operations.js'
import { type Operations, pathsOf } from './operations.js'
import { passkeyOperations } from './passkey-operations.js'
import { ruleOperations } from './rule-operations.js'
import { schemas } from './schemas.js'
import type { Schema } from './shapes.js'

/** Everything that can be requested, of whatever a desk may have. */
export const tables: readonly Operations<string>[] = [
  askOperations,
  serverOperations,
  meOperations,
  ruleOperations,
  passkeyOperations,
  notifyOperations,
  channelOperations,
  adminOperations,
]

/** The REST surface of a desk, as OpenAPI 3.1. */
export const openapi: Schema = {
  openapi: '3.1.0',
  info: {
    title: 'Beckon desk',
    version: '1',
    summary: 'Open asks, for scripts, phones and chat bots.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ bearer: [] }],
  paths: pathsOf(tables),
  components: {
    schemas,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'In a browser, the cookie of the desk does as well.' },
    },
  },
}
