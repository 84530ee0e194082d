// Where our own pages are. Never read off a request: a link made from a Host header would lead where an attacker says.
import { isLoopback } from '../runtime/loopback.js'

export interface PageAddress {
  /** The address that `/beckon/...` follows. Opens a listener on this machine where one is needed. */
  base(): Promise<string>
  /** Its origin, for a policy that names it; undefined where there is none. */
  origin(): Promise<string | undefined>
  /** The same, where it is known by now. */
  readonly known: string | undefined
  /** Whether everybody who can reach the pages is on this machine; undefined while that is not known. */
  readonly isLocal: boolean | undefined
  /** The server is going to listen there, for others than this machine as well unless that is a loopback host. */
  exposes(host: string): void
  /** The server listens over HTTP there. */
  listensAt(url: string): void
}

export interface PageAddressOptions {
  publicUrl: string | undefined
  /** Listens for pages on this machine; undefined where nobody on this machine is served. */
  openListener: () => Promise<{ url: string }> | undefined
}

export function pageAddress({ publicUrl, openListener }: PageAddressOptions): PageAddress {
  let base = publicUrl?.replace(/\/+$/, '')
  let isExposed = base !== undefined && !isLoopback(new URL(base).hostname)
  let own: Promise<string> | undefined
  return {
    origin() {
      return this.base().then(
        known => new URL(known).origin,
        () => undefined,
      )
    },
    async base() {
      if (base !== undefined) return base
      own ??= openListener()?.then(({ url }) => new URL(url).origin)
      if (own !== undefined) return own
      throw new TypeError(
        'This server has a page for a person, and does not know its own address. Give createServer a publicUrl.',
      )
    },
    get known() {
      return base
    },
    get isLocal() {
      if (isExposed) return false
      return base === undefined && own === undefined ? undefined : true
    },
    exposes(host) {
      isExposed ||= !isLoopback(host)
    },
    listensAt(url) {
      const { origin, hostname } = new URL(url)
      if (isLoopback(hostname)) base ??= origin
    },
  }
}
