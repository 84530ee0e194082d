import type { Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Notifier, Served } from '../http/served.js'
import { checkedLines } from './checked-lines.js'
import { StdioConnection } from './stdio-connection.js'

export interface StdioOptions {
  /** Default: this process's standard input and output. A test gives one end of a pair in memory. */
  readonly transport?: Transport | undefined
}

/** A server on one connection, of whichever era the client opens it with. */
export interface StdioServing {
  readonly notify: Notifier
  /** Resolves when the connection is closed, from either side. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves one connection: standard input and output, or any transport of the SDK. */
export function serveStdio(served: Served, { transport }: StdioOptions = {}, principal?: string): StdioServing {
  return new StdioConnection(served, transport ?? standardStreams(), principal)
}

function standardStreams(): Transport {
  const { stdin, stdout } = process
  return new StdioServerTransport(checkedLines(stdin, stdout), stdout)
}
