// Several servers in this process that share a store, each with a handle of its own, as processes would.
import { expect } from 'vitest'
import { afterEveryTest } from '../../../test/every-file.js'
import type { HttpOptions } from '../src/http/options.js'
import type { Served } from '../src/http/served.js'
import { Nodes } from '../src/runner/nodes.js'
import { systemClock } from '../src/runtime/clock.js'
import type { Store } from '../src/store/index.js'
import { type MortalStore, mortalStore } from '../src/test/mortal-store.js'
import { littleServed } from './little-served.js'
import { eventsOf, type Raw, type RawSession, type SseEvent, serve } from './raw-http.js'

export interface HttpNode extends Raw {
  readonly id: string
  readonly store: MortalStore
  /** Its process is gone: nothing that it does arrives, and its connections are cut. */
  die(): Promise<void>
  /** As a process that is told to end. */
  close(): Promise<void>
}

export interface HttpNodeOptions extends HttpOptions {
  readonly leaseMs?: number
  readonly served?: Partial<Served>
  /** Changes what the node does with the store. */
  readonly hurt?: (store: Store) => Partial<Store>
}

const closing: (() => Promise<void>)[] = []
afterEveryTest(async () => {
  for (const close of closing.splice(0)) await close()
})

export async function httpNode(shared: Store, options: HttpNodeOptions = {}): Promise<HttpNode> {
  const { leaseMs = 600, served, hurt, ...http } = options
  const store = mortalStore({ ...shared, ...hurt?.(shared) })
  const clock = systemClock
  const nodes = new Nodes({ store, clock, leaseMs })
  const sharing = { store, clock, nodes }
  const raw = await serve('listen', littleServed({ sharing, ...served }), http)
  const close = async (): Promise<void> => {
    await raw.serving.close()
    await nodes.close()
  }
  // A dead one never gets an answer.
  closing.push(async () => void nodes.close())
  return {
    ...raw,
    id: nodes.id,
    store,
    close,
    async die() {
      store.die()
      await raw.serving.close()
    },
  }
}

/** The same session, with its requests going to another node. */
export function at(node: Raw, { headers }: Pick<RawSession, 'headers'>): RawSession {
  const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (message: unknown, more?: Record<string, string>): Promise<Response> =>
    node.fetch({ method: 'POST', headers: { ...both, ...headers, ...more }, body: JSON.stringify(message) })
  return {
    headers,
    post,
    call: (name, id = 1) => post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }),
    get: more => node.fetch({ headers: { accept: 'text/event-stream', ...headers, ...more } }),
  }
}

const accepted = { action: 'accept', content: { name: 'Ada' } }
/** The result of `ask` when that is the answer. */
export const answered = { content: [{ text: expect.stringContaining('Ada') }] }
export const dataOf = (event: SseEvent | undefined) => (event?.data ? JSON.parse(event.data) : undefined)
export const answerTo = (asked: { id: string }) => ({ jsonrpc: '2.0', id: asked.id, result: accepted })

export async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response
  await body?.cancel()
  return status
}

/** Begins a call that asks. Gives the rest of its stream, the question, and the id of that event. */
export async function asking(session: RawSession, id: number | string = 1) {
  const events = eventsOf(await session.call('ask', id))
  const primed = await events.next()
  const event = await events.next()
  return { events, primed: primed?.id ?? '', asked: dataOf(event), last: event?.id ?? '' }
}
