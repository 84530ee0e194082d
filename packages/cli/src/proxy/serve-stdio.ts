// Serves one client on standard input and output. The server behind is connected to once the client has said what it can
// do, so the first message waits for that.
import { SerialQueue } from '@beckon/core'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import type { Backend } from './backend.js'
import { type Downstream, downstreamOf } from './downstream.js'
import { createProxyServer } from './proxy-server.js'
import type { Proxying } from './proxying.js'
import { subscribeFor } from './subscribe-for.js'

/** Resolves when the client has gone. */
export async function serveStdio({ upstreams, ...shared }: Proxying): Promise<void> {
  const transport = new StdioServerTransport()
  let current: { readonly downstream: Downstream; readonly upstream: Backend } | undefined

  /** A client that probes with 2026-07-28 may go on with 2025. */
  async function ready(message: JSONRPCMessage): Promise<void> {
    const downstream = downstreamOf(message)
    const isOther = current !== undefined && downstream !== undefined && downstream.era !== current.downstream.era
    if (downstream !== undefined && (current === undefined || isOther)) {
      current = { downstream, upstream: await upstreams.of(downstream.era, downstream) }
    }
    if (current !== undefined) await subscribeFor(message, current.upstream)
  }

  await new Promise<void>((resolve, reject) => {
    serve(
      ({ era }) => {
        if (current === undefined) throw new Error('The client has not said what it can do.')
        const { upstream } = current
        return createProxyServer({ upstream, era: era === 'legacy' ? '2025' : '2026', ...shared, scope: 'stdio' })
      },
      { transport: waitingTransport(transport, ready, reject), onerror: () => {} },
    )
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
}

/** A transport whose messages come in order, each when everything is ready for it. */
function waitingTransport(
  inner: Transport,
  ready: (message: JSONRPCMessage) => Promise<void>,
  fail: (error: unknown) => void,
): Transport {
  const queue = new SerialQueue()
  const outer: Transport = {
    async start() {
      inner.onmessage = (message, extra) => {
        void queue.run(() => ready(message).then(() => outer.onmessage?.(message, extra), fail))
      }
      inner.onclose = () => outer.onclose?.()
      inner.onerror = error => outer.onerror?.(error)
      await inner.start()
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  }
  return outer
}
