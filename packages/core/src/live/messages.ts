// Every message of the live protocol that a desk takes and sends, once for both ends. What differs by dialect is a union.
import type { AskEntry } from '../state/asks/state.js'
import type { Turn } from '../state/turn.js'
import type { FoundOption } from '../widgets/index.js'
import type { Envelope, Snapshot } from './envelope.js'

interface OnChannel {
  readonly channel: string
}

export interface InitializeParams extends OnChannel {
  readonly protocolVersions: readonly string[]
  readonly clientId: string
  readonly clientInfo?: { readonly name: string; readonly title?: string }
  readonly initialSubscriptions?: readonly string[]
  /** The language of what people are told: a tag such as `de-AT`. */
  readonly locale?: string
}

/** Ours, about the desk and who it takes the client's person for. */
export interface AboutDesk {
  readonly 'beckon/principal': string
  /** Whether there is something to try. */
  readonly 'beckon/tryIt'?: true
}

export interface Initialized {
  readonly protocolVersion: string
  readonly serverSeq: number
  readonly serverInfo: { readonly name: string; readonly title: string }
  readonly _meta: AboutDesk
  readonly snapshots: readonly Snapshot[]
}

/** One number for all channels, or a number for each; the answer has the form of the question. */
export type ReconnectParams = OnChannel & { readonly clientId: string } & (
    | { readonly lastSeenServerSeq: number; readonly subscriptions: readonly string[] }
    | { readonly subscriptions: readonly { readonly channel: string; readonly lastSeenServerSeq: number }[] }
  )

/** What a client that comes back has missed, or the states as they are now. */
export type Recovered =
  | { readonly type: 'replay'; readonly actions: readonly Envelope[]; readonly missing: readonly string[] }
  | { readonly type: 'snapshot'; readonly snapshots: readonly Snapshot[] }

/** The same for each channel by itself. */
export interface RecoveredByChannel {
  readonly channels: readonly (
    | { readonly kind: 'replay'; readonly channel: string; readonly actions: readonly Envelope[] }
    | { readonly kind: 'snapshot'; readonly channel: string; readonly snapshot: Snapshot }
    | { readonly kind: 'missing'; readonly channel: string }
  )[]
}

export interface SubscribeParams extends OnChannel {
  /** From 0.6 on: how many of the last turns of a chat are wanted. */
  readonly view?: { readonly turns?: number }
}

export interface DispatchParams extends OnChannel {
  readonly clientSeq: number
  readonly action: { readonly type: string; readonly [field: string]: unknown }
}

/** An accept that counts, where more people have to. */
export interface Recorded {
  readonly status: 'recorded'
  readonly message: string
  readonly params: { readonly count: number; readonly of: number }
}

/** 0.3 names a turn and a number of them; later dialects go on from a cursor. */
export type FetchTurnsParams = OnChannel & {
  readonly before?: string
  readonly limit?: number
  readonly cursor?: string
}

/** 0.3 is answered with turns; later dialects are told of them on the chat's channel. */
export type FetchedTurns =
  | { readonly turns: readonly Turn[]; readonly hasMore: boolean }
  | { readonly turns?: undefined; readonly hasMore?: undefined }

export interface CreateSessionParams extends OnChannel {
  readonly provider?: string
  readonly title?: string
}

export interface PageParams extends OnChannel {
  readonly limit?: number
  readonly cursor?: string
}

/** What can change about a session in a list. Times are milliseconds in 0.3, and ISO 8601 later. */
export interface ListedChanges {
  readonly title: string
  readonly status: number
  readonly modifiedAt: number | string
}

/** A session as lists show it. */
export interface ListedSession extends ListedChanges {
  readonly resource: string
  readonly provider: string
  readonly createdAt: number | string
}

export interface ListedSessions {
  readonly items: readonly ListedSession[]
  readonly nextCursor?: string
}

/** Which open asks are wanted beside the first page: the next ones, those of a session, or what a search finds. */
export interface AsksParams extends PageParams {
  readonly session?: string
  readonly server?: string
  readonly tool?: string
  readonly search?: string
  /** Only those that are for this person by name. */
  readonly mine?: boolean
  /** Only those of tools that can destroy something, or only the others. */
  readonly destructive?: boolean
  /** `due`: those that end first come first. Default: the newest. */
  readonly order?: 'due'
}

export interface ListedAsks {
  readonly asks: readonly AskEntry[]
  readonly nextCursor?: string
  /** It stopped here, in milliseconds, before the page was full: a search looks at so many asks at a time. */
  readonly searchedTo?: number
}

/** Words that someone searches the options of an open ask for. */
export interface FindParams extends OnChannel {
  readonly session: string
  readonly requestId: string
  readonly search: string
}

/** Without options, there is nobody here who could look for them. */
export interface FoundOptions {
  readonly options?: readonly FoundOption[]
}

/** How a trial goes. */
export type TrialNews =
  | { readonly kind: 'opened'; readonly session: string }
  | { readonly kind: 'ended'; readonly session?: string; readonly result?: string; readonly failure?: string }

/** What a client requests, and what it is answered. */
export interface LiveRequests {
  ping: { params: OnChannel; result: null }
  initialize: { params: InitializeParams; result: Initialized }
  reconnect: { params: ReconnectParams; result: Recovered | RecoveredByChannel }
  subscribe: { params: SubscribeParams; result: { readonly snapshot: Snapshot } }
  unsubscribe: { params: OnChannel; result: null }
  dispatchAction: { params: DispatchParams; result: null | Recorded }
  fetchTurns: { params: FetchTurnsParams; result: FetchedTurns }
  createSession: { params: CreateSessionParams; result: null }
  disposeSession: { params: OnChannel; result: null }
  listSessions: { params: PageParams; result: ListedSessions }
  /** Ours. */
  'beckon/asks': { params: AsksParams; result: ListedAsks }
  /** Ours: what the page of an ask's widget finds while someone types. */
  'beckon/find': { params: FindParams; result: FoundOptions }
  /** Ours: opens an ask to try the desk with. */
  'beckon/tryIt': { params: OnChannel; result: null }
}

export type LiveMethod = keyof LiveRequests
export type LiveParams<M extends LiveMethod> = LiveRequests[M]['params']
export type LiveResult<M extends LiveMethod> = LiveRequests[M]['result']

/** What a client sends without an answer. */
export type ClientNotification = Extract<LiveMethod, 'dispatchAction' | 'unsubscribe'>

/** What a desk tells. */
export interface LiveNotifications {
  action: Envelope
  'root/sessionAdded': OnChannel & { readonly summary: ListedSession }
  'root/sessionRemoved': OnChannel & { readonly session: string }
  'root/sessionSummaryChanged': OnChannel & { readonly session: string; readonly changes: ListedChanges }
  /** Ours, to the person who tries something. */
  'beckon/tried': OnChannel & TrialNews
}

export type LiveNotification = {
  [M in keyof LiveNotifications]: { readonly method: M; readonly params: LiveNotifications[M] }
}[keyof LiveNotifications]

/** What a request that was refused has as the `data` of its error. */
export interface RefusalData {
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>>
}
