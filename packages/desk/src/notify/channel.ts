// What brings notices to people: push and e-mail are two such, and a chat is a file that has these two functions.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'

/** What someone is told of an ask. Never what was answered; what the tool was called with only where that is allowed. */
export interface Notice {
  /** The same for every notice of this ask, to whomever: the one that is withdrawn, or takes the place of an earlier one. */
  readonly id: string
  readonly session: string
  readonly ask: string
  /** Where a person answers it, once they have signed in. */
  readonly link: string
  readonly kind: 'confirm' | 'form' | 'url'
  /** Who asks. Like all texts here, in the asker's own words: show it as text. */
  readonly server: string
  /** Who asks through the server, when it is not the server itself. */
  readonly asker?: string
  readonly tool?: string
  readonly message: string
  /** Whether the tool can destroy something. */
  readonly isDestructive: boolean
  /** Whether one word answers it: a confirm that cannot destroy anything, and takes no passkey. */
  readonly isSimple: boolean
  /** Milliseconds. */
  readonly askedAt: number
  readonly expiresAt: number
  /** 0 for the first, and one more for each reminder. */
  readonly reminder: number
  /** What the tool was called with; only where the desk allows it. */
  readonly arguments?: unknown
}

/** An ask that needs no answer any more. */
export type EndedNotice = Pick<Notice, 'id' | 'session' | 'ask' | 'link'>

/** Someone who is told. */
export interface Recipient {
  readonly principal: string
  /** An address that their sign-in has proved to be theirs. */
  readonly email?: string
  /** In which language they use the inbox. */
  readonly language?: string
  /** Where they are, as the IANA has it. */
  readonly timeZone?: string
}

/** When and how someone wants a channel. */
export interface ChannelSettings {
  readonly isOn: boolean
  /** How long an ask has to be open first. */
  readonly delayMs: number
  /** Everything at once, so often; 0 for each by itself. */
  readonly digestMs: number
}

/**
 * A way to reach people. What it rejects with is tried again, for a day at most, and said in the log: keep addresses and
 * secrets out of it. The same notice may come twice.
 */
export interface NotifyChannel {
  /** In settings, addresses and the log: letters, digits and hyphens. */
  readonly name: string
  /** For those who have set nothing. Default: on, at once, each by itself. */
  readonly defaults?: Partial<ChannelSettings>
  /** Tells someone; `unreachable` when there is no way to. */
  send(person: Recipient, notice: Notice): Promise<undefined | 'unreachable'>
  /** Tells someone of several at once. Without it, there are no digests on this channel. */
  sendDigest?(person: Recipient, notices: readonly Notice[]): Promise<undefined | 'unreachable'>
  /** Takes back what someone was told: it was answered, or is for others by now. */
  withdraw?(person: Recipient, notice: EndedNotice): Promise<void>
  /** Shows someone that it works. Default: none can be asked for. */
  test?(person: Recipient): Promise<undefined | 'unreachable'>
  /** What the settings of someone show of this channel. */
  state?(person: Recipient): Promise<object>
  /** Forgets what it keeps of someone: an admin has it erased. */
  forget?(principal: string): Promise<void>
  /** What people can request of it, below `/api/notify/{name}/`. */
  readonly routes?: readonly ChannelRoute[]
}

/** A request of someone who is signed in. */
export interface ChannelRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/notify/{name}/`; `{id}` stands for any one part. */
  readonly path: string
  handle(person: Recipient, request: ChannelRequest): Promise<ChannelReply>
}

export interface ChannelRequest {
  readonly body: unknown
  /** A part of the path, by its name. */
  param(name: string): string
  readonly userAgent: string
}

/** What comes of it: JSON, or why not, in a sentence. */
export type ChannelReply = { readonly done: object } | { readonly refused: string } | 'not-found' | 'too-many'

/** What a channel gets of its desk. */
export interface ChannelDesk {
  /** Its own part of the desk's store. Give your names a beginning of their own. */
  readonly store: Store
  /** What the names in the store begin with. */
  readonly prefix: string
  readonly clock: Clock
  /** Where people find the desk. */
  readonly address: () => string
}

/** A channel, or what makes one for a desk. */
export type NotifyChannelOrFactory = NotifyChannel | ((desk: ChannelDesk) => NotifyChannel)
