import type { Server, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import type { Concerns, Link, Notifier, Served } from '../http/served.js'
import { FrontTransport } from './front-transport.js'

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
  const sessionId = crypto.randomUUID()
  const subscriptions = new Set<string>()
  let current: { readonly server: Server; readonly link: Link } | undefined
  let onClosed = (): void => {}
  const closed = new Promise<void>(resolve => {
    onClosed = resolve
  })
  const handle = serve(
    ({ era }) => {
      const link: Link = {
        era: era === 'legacy' ? '2025' : '2026',
        transport: 'stdio',
        principal,
        sessionId,
        subscriptions,
      }
      const server = served.createServer(link)
      const { onclose } = server
      server.onclose = () => {
        onclose?.()
        // A server that only answered a probe makes way for the one that is kept.
        if (server === current?.server) onClosed()
      }
      current = { server, link }
      return server
    },
    {
      onerror: error => served.onError?.(error),
      transport: new FrontTransport(transport ?? new StdioServerTransport(), served, principal),
    },
  )

  function tell(send: (server: Server) => Promise<void>, concerns: Concerns = () => true): void {
    if (current !== undefined && concerns(current.link)) send(current.server).catch(() => {})
  }

  return {
    notify: {
      toolsChanged: concerns => tell(server => server.sendToolListChanged(), concerns),
      promptsChanged: concerns => tell(server => server.sendPromptListChanged(), concerns),
      resourcesChanged: concerns => tell(server => server.sendResourceListChanged(), concerns),
      resourceUpdated(uri) {
        // On 2026-07-28 the SDK knows who listens for what.
        if (current?.link.era === '2025' && !subscriptions.has(uri)) return
        tell(server => server.sendResourceUpdated({ uri }))
      },
    },
    closed,
    async close() {
      await handle.close()
      onClosed()
    },
  }
}
