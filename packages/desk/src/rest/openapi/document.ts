import { adminPaths } from './admin-paths.js'
import { mePaths } from './me-paths.js'
import { notifyPaths } from './notify-paths.js'
import { passkeyPaths } from './passkey-paths.js'
import { paths } from './paths.js'
import { rulePaths } from './rule-paths.js'
import { schemas } from './schemas.js'
import type { Schema } from './shapes.js'

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
  paths: { ...paths, ...mePaths, ...rulePaths, ...passkeyPaths, ...notifyPaths, ...adminPaths },
  components: {
    schemas,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'In a browser, the cookie of the desk does as well.' },
    },
  },
}
