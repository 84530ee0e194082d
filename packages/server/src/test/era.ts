// How each era opens a connection and dresses a request.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import type { ClientCapabilities } from '../call/incoming.js'
import { tasksExtension } from '../protocol/capabilities.js'
import type { Connection } from './connection.js'
import type { TestClientOptions } from './options.js'

type Params = Readonly<Record<string, unknown>>

export interface Era {
  readonly capabilities: ClientCapabilities
  /** Makes the connection ready for requests. */
  open(connection: Connection): Promise<void>
  /** What every request of the era carries; what a test wrote itself stays. */
  dress(params: Params): Params
}

const defaultClient = { name: 'beckon-test', version: '1.0.0' }

export function eraOf(options: TestClientOptions): Era {
  const { wire = 'rounds', revision } = options
  if (wire === 'push') return legacyEra(options)
  if (revision !== undefined)
    throw new TypeError(`The wire "${wire}" has one revision. Leave \`revision\` out, or push.`)
  return modernEra(options, wire)
}

function legacyEra({ revision = '2025-11-25', client = defaultClient, ...options }: TestClientOptions): Era {
  const elicitation = revision === '2025-06-18' ? {} : { form: {}, url: {} }
  const capabilities = options.capabilities ?? { elicitation, sampling: {}, roots: {} }
  return {
    capabilities,
    async open(connection) {
      await connection.request('initialize', { protocolVersion: revision, capabilities, clientInfo: client })
      connection.notify('notifications/initialized', {})
    },
    dress: params => params,
  }
}

function modernEra({ client = defaultClient, ...options }: TestClientOptions, wire: 'rounds' | 'tasks'): Era {
  const declared = options.capabilities ?? { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
  const extensions = { ...declared.extensions, [tasksExtension]: {} }
  const capabilities = wire === 'tasks' ? { ...declared, extensions } : declared
  const envelope = {
    [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
    [CLIENT_INFO_META_KEY]: client,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    // Without a level nothing is logged on this revision.
    [LOG_LEVEL_META_KEY]: 'debug',
  }
  return {
    capabilities,
    async open() {},
    dress: params => ({ ...params, _meta: { ...envelope, ...(params._meta as Params | undefined) } }),
  }
}
