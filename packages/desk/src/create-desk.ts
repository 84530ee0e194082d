import { type AskDesk, type Clock, memoryStore, systemClock } from 'beckon'
import { type Key, type Store, sealedStore } from 'beckon/store'
import { type Access, anyOf, linkAccess, programAccess } from './access/index.js'
import { attend } from './asks/attend.js'
import type { Audit } from './asks/audit.js'
import type { DeskSession } from './asks/session.js'
import { type DeskParts, openParts } from './desk-parts.js'
import { type Door, type ListenOptions, openDoor } from './listen.js'
import { createLive } from './live/index.js'
import { AskIndex, createRest } from './rest/index.js'
import { serveHttp } from './serve-http.js'
import { createWebhooks, type Webhook } from './webhooks/index.js'

export interface DeskOptions {
  /** Default: in memory. */
  readonly store?: Store | undefined
  /** Seals everything that is kept. Give every node, and every start, the same. */
  readonly keys?: Key | readonly Key[] | undefined
  /** Who comes in. Default, on this machine only: whoever opens a one-time link. */
  readonly access?: Access | undefined
  readonly clock?: Clock | undefined
  /** Where people reach the desk, when that is not where it listens. */
  readonly publicUrl?: string | undefined
  /** Addresses of proxies in front of the desk, whose word for where a request comes from is believed. */
  readonly proxies?: readonly string[] | undefined
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowedOrigins?: readonly string[] | undefined
  /** Programs that are told what happens. */
  readonly webhooks?: readonly Webhook[] | undefined
  /** Someone should be reminded of an ask. */
  readonly onReminder?: ((session: string, request: string) => void) | undefined
  /** Told about what no client can be told about. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Where a desk can be reached. */
export interface Listening {
  readonly url: string
  /** For a person. Without `access` it works once, and signs in whoever opens it. */
  readonly link: string
  /** For a program: it carries a token that is good until `close()`. */
  readonly socketUrl: string
}

/** Open asks as shared state that any number of people and devices watch and answer. */
export interface Desk extends AskDesk {
  /** Creates or finds a session. */
  session(id: string, options?: { title?: string; server?: string }): Promise<DeskSession>
  listen(options?: ListenOptions): Promise<Listening>
  readonly audit: Pick<Audit, 'query' | 'export'>
  close(): Promise<void>
}

/**
 * A desk.
 * @example
 * const desk = createDesk()
 * const { link } = await desk.listen()
 * const turn = await (await desk.session('deploys')).startTurn()
 * const outcome = await turn.ask({ question: 'Deploy to production?' })
 */
export function createDesk(options: DeskOptions = {}): Desk {
  const { clock = systemClock, onError = error => console.error(error) } = options
  const plain = options.store ?? memoryStore({ clock })
  const store = options.keys === undefined ? plain : sealedStore(plain, options.keys)
  const opening = openParts({ store, clock, onReminder: options.onReminder, onError })
  // Whoever uses the desk first is told.
  opening.catch(() => {})
  const link = options.access === undefined ? linkAccess({ clock }) : undefined
  const program = link ?? programAccess({ clock })
  const access = options.access === undefined ? program : anyOf(options.access, program)
  const closing: (() => unknown)[] = []
  let door: Door | undefined

  async function listen(where: ListenOptions = {}): Promise<Listening> {
    const parts = await opening
    const { order, gate } = parts
    const asks = new AskIndex(order)
    const rest = createRest({ ...parts, asks })
    closing.push(
      () => rest.close(),
      () => asks.close(),
    )
    door = await openDoor({
      ...where,
      access,
      live: createLive({ order, gate, clock }),
      clock,
      serve: (incoming, outgoing, visitor) => serveHttp({ order, rest }, incoming, outgoing, visitor),
      allowedHosts: options.allowedHosts,
      allowedOrigins: options.allowedOrigins,
      publicUrl: options.publicUrl,
      proxies: options.proxies,
      onError,
    })
    const url = options.publicUrl ?? door.url
    if (options.webhooks !== undefined) {
      const hooks = createWebhooks({
        order,
        clock,
        store,
        asks,
        hooks: options.webhooks,
        linkTo: session => `${url}#${session}`,
        onProblem: onError,
      })
      closing.unshift(() => hooks.close())
    }
    return { url, link: link?.link(url) ?? url, socketUrl: program.socketUrl(url) }
  }

  return {
    session: async (id, sessionOptions) => (await opening).session(id, sessionOptions),
    async attend(call) {
      const parts: DeskParts = await opening
      const url = options.publicUrl ?? door?.url ?? ''
      // Never with a key in it: this goes to the model, which must not answer for the person.
      const linkTo = (session: string) => `${url}#${session}`
      return attend(call, { session: parts.session, linkTo, tellsApart: link === undefined, now: () => clock.now() })
    },
    listen,
    audit: {
      query: async query => (await opening).audit.query(query),
      async *export() {
        yield* (await opening).audit.export()
      },
    },
    async close() {
      for (const close of closing) await close()
      await door?.close()
      access.close?.()
      await (await opening).close()
      await store.close()
    },
  }
}
