import { type Clock, memoryStore, systemClock } from 'beckon'
import type { AskDesk } from 'beckon/desk/adapter'
import type { Passkeys } from 'beckon/passkeys'
import type { Receipts } from 'beckon/receipts'
import { type Key, type Store, sealedStore } from 'beckon/store'
import { borrowedStore } from 'beckon/store/adapter'
import { type Access, anyOf, linkAccess, programAccess, Rechecks, systemRandom, Tickets } from './access/index.js'
import { adminRoutes } from './admin/admin-routes.js'
import { PersonalData } from './admin/personal-data.js'
import { personalParts } from './admin/personal-parts.js'
import type { Audit } from './audit/audit.js'
import { checkOptions } from './desk-options.js'
import { createParts, type DeskParts, deskStore, type PartsLimits } from './desk-parts.js'
import { countAsks, showConnections } from './desk-telemetry.js'
import type { Rate } from './limits/token-bucket.js'
import { type Listener, type ListenOptions, openListener } from './listen.js'
import { createLive } from './live/create-live.js'
import type { LiveLimits } from './live/limits.js'
import type { Audience, SessionAudience } from './model/policy.js'
import { findAsk } from './model/reduce.js'
import type { Notify } from './notify/notify.js'
import { type Directory, groupsIn, membersIn } from './people/directory.js'
import { type Person, type Role, seesAll } from './policy/audience.js'
import { type Roles, rolesOf } from './policy/roles.js'
import { DeskProofs } from './proofs/desk-proofs.js'
import { passkeyRoutes } from './proofs/passkey-routes.js'
import { publishedKeys } from './proofs/published-keys.js'
import type { DeskView } from './rest/desk-view.js'
import { json } from './rest/exchange.js'
import { createRest } from './rest/index.js'
import { notifyOperations } from './rest/openapi/notify-operations.js'
import { passkeyOperations } from './rest/openapi/passkey-operations.js'
import type { Route } from './rest/router.js'
import type { Rule } from './rules/rule.js'
import { httpOf } from './serve-http.js'
import { ServerAsks } from './servers/server-asks.js'
import { serverTokens } from './servers/server-tokens.js'
import { StoredTokens } from './servers/stored-tokens.js'
import type { HistoryLimits } from './sessions/keep-recent.js'
import type { Sessions } from './sessions/sessions.js'
import { type StandingRules, standingRules } from './standing-rules.js'
import { type TryIt, trialsOf } from './try-it.js'
import { reportCall, withdrawAsk } from './turns/decisions.js'
import { type DeskSession, openSession } from './turns/desk-session.js'
import { openOnDesk } from './turns/open-ask.js'
import { outcomeOf } from './turns/turn.js'
import { createWebhooks, type Webhook } from './webhooks/index.js'

export interface DeskOptions {
  /** Default: in memory. The caller that gives one closes it. */
  readonly store?: Store | undefined
  /**
   * Seals everything that is kept. Give every node, and every start, the same. Default, with a shared store: keys that are
   * kept in it, wrapped by `BECKON_KEY` where that is set.
   */
  readonly keys?: Key | readonly Key[] | undefined
  /** Who comes in. Default, on this machine only: anyone who opens a one-time link. */
  readonly access?: Access | undefined
  /**
   * Who is in which group. Default: as `access` says, by claims or tokens. With a directory, anyone who left a group answers for it
   * no more, however long ago they signed in.
   */
  readonly directory?: Directory | undefined
  /**
   * Who may do more than answer what they are asked: by name, by group, or by a function of your own. A person that `access`
   * gives a role keeps it.
   */
  readonly roles?: Roles | ((person: Person) => Role | undefined) | undefined
  /**
   * Standing decisions about calls: a file, which is read again when it has changed, or the rules themselves. More are made
   * over REST.
   */
  readonly rules?: string | readonly Rule[] | undefined
  readonly clock?: Clock | undefined
  /** Where people reach the desk, when that is not where it listens. */
  readonly publicUrl?: string | undefined
  /** Addresses of proxies in front of the desk, whose word for where a request comes from is believed. */
  readonly proxies?: readonly string[] | undefined
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowedOrigins?: readonly string[] | undefined
  /** The tokens of servers in other processes that may open asks here, by their names: `createServer({ desk: url })`. */
  readonly servers?: Readonly<Record<string, string>> | undefined
  /** Tells people of what waits for them, by push, e-mail or a chat: `notify()` of `@beckon/desk/notify`. */
  readonly notify?: Notify | undefined
  /** Programs that are told what happens. */
  readonly webhooks?: readonly Webhook[] | undefined
  /** How much of the calls that are over is kept. Default: seven days; in memory, at most 1,000. */
  readonly history?: HistoryLimits | undefined
  /** How long the audit is kept. Default: for good. */
  readonly auditMs?: number | undefined
  readonly limits?: DeskLimits | undefined
  /** People accept with a passkey what takes one: `passkeys()` of `beckon/passkeys`. That takes a `publicUrl`. */
  readonly passkeys?: Passkeys | undefined
  /** Signs how every ask ends: `receipts()` of `beckon/receipts`. With passkeys, what takes one is signed without this. */
  readonly receipts?: Receipts | undefined
  /** Someone should be reminded of an ask. */
  readonly onReminder?: ((session: string, request: string) => void) | undefined
  /** Opens an ask for someone who has nothing to answer yet: the inbox offers it when it is empty. */
  readonly tryIt?: TryIt | undefined
  /** Told about what no client can be told about. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** How much there may be of something, in numbers and in bytes of JSON. */
export interface DeskLimits extends PartsLimits {
  /** Connections of one person to a node, over all their devices. Default: 2,000. */
  readonly maxConnections?: number | undefined
  /** A message of the live protocol, and a body of REST. Default: 256 KiB. */
  readonly maxMessageBytes?: number | undefined
  /** Requests of a server in another process, to this node. Default: 2,000 a second, and 10,000 at once. */
  readonly serverRequests?: Rate | undefined
}

/** Where a desk can be reached. */
export interface Listening {
  readonly url: string
  /** For a person. Without `access` it works once, and signs in the person who opens it. */
  readonly link: string
  /** Another such link, for a person who needs one later. */
  newLink(): string
  /** For a program: it carries a token that is good until `close()`. */
  readonly socketUrl: string
}

export interface SessionOptions {
  readonly title?: string
  readonly server?: string
  /** The principal whose session it is. */
  readonly owner?: string
  /** Who sees it whatever it asks. Default: its owner, and those whom it asks something. */
  readonly audience?: SessionAudience
}

/** Open asks as shared state that any number of people and devices watch and answer. */
export interface Desk extends AskDesk {
  /** Creates or finds a session. */
  session(id: string, options?: SessionOptions): Promise<DeskSession>
  listen(options?: ListenOptions): Promise<Listening>
  /** Looks again, on every node, whether those who are connected are still let in: call it after withdrawing a token. */
  recheck(): void
  readonly rules: StandingRules
  readonly audit: Pick<Audit, 'query' | 'entries' | 'export' | 'verify' | 'digest' | 'eraseTexts'>
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
  checkOptions(options)
  const { clock = systemClock, onError = error => console.error(error) } = options
  const plain = options.store === undefined ? memoryStore({ clock }) : borrowedStore(options.store)
  const sealed = plain.shared || options.keys !== undefined ? sealedStore(plain, options.keys, clock) : undefined
  const store = sealed ?? plain
  const { history, auditMs, onReminder, limits = {} } = options
  const address = () => options.publicUrl ?? listener?.url ?? ''
  const deps = { store: deskStore(store), clock }
  const passkeys = options.passkeys?.open({ ...deps, name: 'Inbox', address })
  const receipts = options.receipts?.open(deps) ?? passkeys?.receipts
  const proofs =
    receipts &&
    ((sessions: Sessions) =>
      new DeskProofs({ sessions, passkeys, receipts, signsAll: options.receipts !== undefined, issuer: address }))
  const hasPasskeys = passkeys !== undefined
  const groupsOf = options.directory && groupsIn(options.directory)
  const membersOf = membersIn(options.directory)
  const roleOf = typeof options.roles === 'function' ? options.roles : options.roles && rolesOf(options.roles)
  const parts = createParts({
    store,
    isAlone: options.store === undefined,
    seal: sealed,
    clock,
    history,
    auditMs,
    limits,
    groupsOf,
    membersOf,
    roleOf,
    rules: options.rules,
    onReminder,
    onError,
    proofs,
    hasPasskeys,
  })
  const link = options.access === undefined ? linkAccess({ clock, store: plain.shared ? store : undefined }) : undefined
  const program = link ?? programAccess({ clock })
  const known = options.access === undefined ? program : anyOf(options.access, program)
  const published = receipts === undefined ? [] : [publishedKeys(receipts)]
  const access = anyOf(parts.widgets.access, ...published, known)
  const tryIt = options.tryIt && trialsOf(options.tryIt, onError)
  const tokens = new StoredTokens({ store: parts.store, clock })
  const serverOf = serverTokens(options.servers ?? {}, tokens)
  const closing: (() => unknown)[] = [countAsks(parts.sessions)]
  const notify = options.notify?.open({
    ...parts,
    directory: options.directory,
    groupsOf,
    roleOf,
    address,
    linkTo: (...ask) => linksAt(address())(...ask),
    onProblem: onError,
  })
  let rechecks: Rechecks | undefined
  let listener: Listener | undefined

  const open: AskDesk['open'] = (...asked) => {
    const linkTo = linksAt(address())
    const identifiesPeople = link === undefined
    const unseen = async ({ principals = [], groups = [] }: Audience) => {
      if (!identifiesPeople) return []
      const listed = (group: string) => (membersOf?.(group)?.people.length ?? 0) > 0
      const strange = groups.map(async group =>
        listed(group) || (await parts.members.isSeen(group)) ? [] : `group ${group}`,
      )
      return [...(await parts.people.unseen(principals)), ...(await Promise.all(strange)).flat()]
    }
    return openOnDesk(parts.turns, asked, { linkTo, identifiesPeople, unseen, widgets: parts.widgets })
  }

  async function listen(where: ListenOptions = {}): Promise<Listening> {
    const { sessions } = access
    const personal = new PersonalData(personalParts({ ...parts, sessions, passkeys, notify }), parts.audit)
    const recheck = () => rechecks?.signedOut()
    const configured = Object.keys(options.servers ?? {})
    const more = (desk: DeskView) => [
      ...adminRoutes(desk, { people: parts.people, personal, tokens, configured, sessions, recheck }),
      ...(passkeys ? passkeyRoutes(desk, passkeys) : [noPasskeys]),
      ...(notify?.routes ?? [noChannels]),
    ]
    const rest = createRest({ ...parts, mayAudit: seesAll, onError, more })
    const asks = serverAsks(parts, open, limits.serverRequests)
    const http = httpOf({ rest, asks, maxBodyBytes: limits.maxMessageBytes })
    const held = new Rechecks({ clock, store: parts.store })
    rechecks = held
    const live = createLive({ ...parts, tryIt, limits: liveLimits(limits), onError })
    closing.push(
      showConnections(live),
      () => rest.close(),
      () => asks.close(),
      () => held.close(),
    )
    listener = await openListener({
      ...where,
      access,
      live,
      clock,
      onViewer(viewer) {
        parts.members.note(viewer)
        parts.people.note(viewer.principal, viewer.groups).catch(() => {})
        notify?.seen(viewer).catch(() => {})
      },
      tickets: new Tickets({ store, clock, random: systemRandom }),
      rechecks: held,
      serve: http.serveViewer,
      serverOf,
      groupsOf,
      roleOf,
      serveServer: http.serveServer,
      allowedHosts: options.allowedHosts,
      allowedOrigins: options.allowedOrigins,
      publicUrl: options.publicUrl,
      proxies: options.proxies,
      onError,
    })
    const url = address()
    // Nobody waits for it: until it is there, a group is named, and not who is in it.
    void parts.members.load().catch(() => {})
    await passkeys?.check()
    if (notify !== undefined) {
      notify.start()
      closing.unshift(() => notify.close())
    }
    if (options.webhooks !== undefined) {
      const hooks = createWebhooks({
        ...parts,
        hooks: options.webhooks,
        linkTo: linksAt(url),
        onProblem: onError,
      })
      closing.unshift(() => hooks.close())
    }
    const newLink = () => link?.link(url) ?? url
    return { url, link: newLink(), newLink, socketUrl: program.socketUrl(url) }
  }

  return {
    session: (id, { title = id, server = 'desk', owner, audience } = {}) =>
      openSession(parts.turns, { id, title, server, owner, audience }),
    open,
    finds: (server, find) => parts.finders.add(server, find),
    listen,
    recheck: () => rechecks?.signedOut(),
    rules: standingRules(parts),
    audit: parts.audit,
    async close() {
      // Nobody comes in any more while those who wait are let go of.
      const closed = listener?.close()
      for (const close of closing) await close()
      await closed
      access.close?.()
      await tokens.close()
      await parts.close()
      await store.close()
    },
  }
}

/** What pages ask for on every desk, where there are no passkeys, and where nobody is told anything. */
const noPasskeys: Route = { ...passkeyOperations.listPasskeys, handle: () => json(200, { passkeys: [] }) }
const noChannels: Route = { ...notifyOperations.readNotifySettings, handle: () => json(200, { channels: {} }) }

function liveLimits({ maxConnections, maxMessageBytes: maxFrameBytes }: DeskLimits): Partial<LiveLimits> {
  return {
    ...(maxConnections !== undefined && { maxConnections }),
    ...(maxFrameBytes !== undefined && { maxFrameBytes }),
  }
}

/** Where a person finds an ask: a path, which outlives a sign-in. Never with a key in it: it goes to the model. */
function linksAt(url: string): (session: string, ask: string) => string {
  const base = url.replace(/\/+$/, '')
  return (session, ask) => `${base}/asks/${encodeURIComponent(session)}/${encodeURIComponent(ask)}`
}

function serverAsks(
  { sessions, turns, clock, searches }: DeskParts,
  open: AskDesk['open'],
  rate: Rate | undefined,
): ServerAsks {
  return new ServerAsks({
    clock,
    rate,
    open,
    searches,
    async isThere({ session, ask }) {
      const known = await sessions.load(session)
      return known !== undefined && findAsk(known, ask) !== undefined
    },
    async outcome({ session, ask }, signal) {
      const known = await sessions.load(session)
      return known && findAsk(known, ask) && outcomeOf(turns, session, ask, signal)
    },
    async withdraw({ session, ask }) {
      const settled = await sessions.change(session, known => withdrawAsk(known, ask, { at: clock.now() }))
      return settled.kind === 'accepted' && settled.session !== undefined && findAsk(settled.session, ask) !== undefined
    },
    async report({ session, ask }, report) {
      const settled = await sessions.change(session, known => reportCall(known, ask, report, { at: clock.now() }))
      return settled.kind === 'accepted' && settled.session !== undefined && findAsk(settled.session, ask) !== undefined
    },
  })
}
