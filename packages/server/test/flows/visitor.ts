// A browser as far as forms and cookies go, for the pages of a server: over HTTP, or straight into `server.fetch`.
import type { BeckonServer } from '../../src/index.js'

/** What a page was. */
export interface Visited {
  readonly status: number
  readonly text: string
  readonly title: string
  readonly headers: Headers
}

export class Visitor {
  readonly #fetch: (request: Request) => Promise<Response>
  readonly #headers: Record<string, string>
  readonly cookies = new Map<string, string>()

  /** Without a server, over HTTP. */
  constructor(server?: Pick<BeckonServer, 'fetch'>, headers: Record<string, string> = {}) {
    this.#fetch =
      server === undefined ? request => fetch(request, { redirect: 'manual' }) : request => server.fetch(request)
    this.#headers = headers
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Visited> {
    return this.#send(url, { headers })
  }

  /** Sends the form of a page, with what is hidden in it. */
  async submit(url: string, fields: Record<string, string> = {}, page?: Visited): Promise<Visited> {
    const { text } = page ?? (await this.get(url))
    return this.post(url, { ...hiddenFields(text), ...fields })
  }

  post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Visited> {
    const sent = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers }
    return this.#send(url, { method: 'POST', headers: sent, body: new URLSearchParams(fields).toString() })
  }

  async #send(
    url: string,
    init: { method?: string; headers: Record<string, string>; body?: string },
  ): Promise<Visited> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...this.#headers, ...(cookie && { cookie }), ...init.headers }
    const response = await this.#fetch(new Request(url, { ...init, headers }))
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (response.status === 303 && location !== null) return this.get(new URL(location, url).href)
    const text = await response.text()
    const title = /<h1>(.*?)<\/h1>/s.exec(text)?.[1]?.replace(/<[^>]+>/g, '') ?? ''
    return { status: response.status, text, title, headers: response.headers }
  }
}

export function hiddenFields(page: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}

/** Where a page goes to by itself. */
export function leadsTo(page: string): string | undefined {
  return /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
}
