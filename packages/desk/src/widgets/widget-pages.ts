// The pages of widgets: kept once by their digest, and served to the frames that show them.
//
// Threat: a page is a server's own code. It gets an origin of its own, wherever it is opened, by the `sandbox` of its policy: so
// it has no cookie, no storage and no way into the inbox. It loads nothing and sends nothing anywhere but to the one origin that it
// was kept with, if any: that is part of its digest, so that nobody else chooses it. Anyone who has the address
// reads it: what it shows of an ask comes by messages from the page around it, and is in none of this. A server has so many pages
// at a time, so that it cannot fill the store with them; several that come at once may be a few more.
import { createHash } from 'node:crypto'
import { isConnectOrigin, isWidgetPage, type WidgetOnDesk, widgetLimits } from '@beckon/core/widgets'
import type { Clock } from 'beckon'
import type { DeskWidget } from 'beckon/desk/adapter'
import type { Store } from 'beckon/store'
import { Cell, OrderedSet } from 'beckon/store/handles'
import type { Access, AccessResponse } from '../access/index.js'
import { RefusedError } from '../policy/refusals.js'

const pathPrefix = '/widgets/'
/** An ask that has ended is looked at for a while; and pages of asks that follow each other are not written each time. */
const keptMs = 7 * 24 * 60 * 60 * 1000
/** Of how many it is remembered that they are there. */
const maxRemembered = 1_000
/** Different pages of one server, at a time: each of its widgets is one, and so is each version of it. */
const maxPages = 100

/** A page as it is kept: alone, or with the origin that it may send something to. */
type KeptPage = string | { readonly html: string; readonly connect: string }

const policy = [
  'sandbox allow-scripts allow-forms',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
]

const headers: AccessResponse['headers'] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
  // The inbox may be part of another site's page.
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Permissions-Policy', 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['Cache-Control', 'public, max-age=604800, immutable'],
]

export class WidgetPages {
  readonly #store: Store
  readonly #clock: Clock
  /** Until when those pages are kept that this node knows of. */
  readonly #known = new Map<string, number>()

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Keeps the page of a widget for as long as its ask is open, and longer.
   * @throws RefusedError for one that is too large, or sends to what is not an origin, and for one more than a server may have
   */
  async keep(server: string, { html, ...use }: DeskWidget, expiresAt: number): Promise<WidgetOnDesk> {
    if (Buffer.byteLength(html) > widgetLimits.pageBytes)
      throw refused(`The page of a widget has at most ${widgetLimits.pageBytes} bytes.`)
    const { connect } = use
    if (connect !== undefined && !isConnectOrigin(connect))
      throw refused('What the page of a widget may send to is an origin, such as https://shop.example.')
    const hash = createHash('sha256').update(html)
    const page = (connect === undefined ? hash : hash.update(`\0${connect}`)).digest('base64url')
    const known = `${server}/${page}`
    if ((this.#known.get(known) ?? 0) < expiresAt) {
      const until = await this.#list(server, page, expiresAt + keptMs)
      await this.#cell(page).set(connect === undefined ? html : { html, connect }, { expiresAt: until })
      if (this.#known.size >= maxRemembered) this.#known.clear()
      this.#known.set(known, until)
    }
    return { ...use, page }
  }

  /** Lets nobody in, and has the pages for anyone who knows their digests. */
  get access(): Access {
    return {
      authenticate: async () => undefined,
      handle: async ({ path, method }) => {
        if (!path.startsWith(pathPrefix) || (method !== 'GET' && method !== 'HEAD')) return undefined
        const page = path.slice(pathPrefix.length)
        const kept = isWidgetPage(page) ? await this.#cell(page).get() : undefined
        if (kept === undefined) return { status: 404, headers: [['Cache-Control', 'no-store']], body: '' }
        const { html, connect } = typeof kept === 'string' ? { html: kept, connect: undefined } : kept
        const allowed = connect === undefined ? policy : [...policy, `connect-src ${connect}`]
        const own: AccessResponse['headers'] = [
          ...headers,
          ['Content-Security-Policy', allowed.join('; ')],
          // What the policy does not know of: WebRTC above all, and connections that a browser makes before it looks at the policy.
          ['Connection-Allowlist', connect === undefined ? '()' : `("${connect}")`],
        ]
        return { status: 200, headers: own, body: method === 'HEAD' ? '' : html }
      },
    }
  }

  /** Among the pages of its server, if there is room. Resolves to when it goes: never earlier than before. */
  async #list(server: string, page: string, wanted: number): Promise<number> {
    const pages = new OrderedSet(this.#store, `widgets of ${server}`)
    const listed = await pages.range({ limit: 2 * maxPages })
    const over = listed.filter(({ score }) => score <= this.#clock.now())
    await pages.removeRead(over)
    const known = listed.find(({ member }) => member === page)
    const until = Math.max(wanted, known?.score ?? 0)
    if (known === undefined && listed.length - over.length >= maxPages)
      throw refused(
        `A desk keeps ${maxPages} pages of widgets for a server. Put what differs into \`data\`, and not into the page.`,
      )
    await pages.put(page, until)
    return until
  }

  #cell(page: string): Cell<KeptPage> {
    return new Cell(this.#store, `widgets/${page}`)
  }
}

function refused(detail: string): RefusedError {
  return new RefusedError({ code: 'request-invalid', params: { detail } })
}
