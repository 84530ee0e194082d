// A person's browser, as far as the pages of a server go: cookies, and forms that are filled in and sent.

/** A page as a person sees it. */
export interface VisitedPage {
  readonly status: number
  /** Its heading. */
  readonly title: string
  /** Its text, without the markup. */
  readonly text: string
  /** Where it leads, for a page that sends the person on. */
  readonly leadsTo: string | undefined
}

/** What a person types, by the names of the fields. */
export type PageValues = Readonly<Record<string, string | number | boolean>>

type Fetch = (request: Request) => Promise<Response | undefined>

interface Loaded {
  readonly status: number
  readonly html: string
}

export class TestBrowser {
  readonly #fetch: Fetch
  readonly #cookies = new Map<string, string>()

  constructor(fetch: Fetch) {
    this.#fetch = fetch
  }

  /** Opens a page; where it has a form, fills it in and sends it. */
  async visit(url: string, values: PageValues = {}): Promise<VisitedPage> {
    const page = await this.#load(new Request(url, { headers: this.#headers() }))
    if (!page.html.includes('<form')) return read(page)
    const sent = await this.#load(
      new Request(url, {
        method: 'POST',
        headers: { ...this.#headers(), 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...hiddenIn(page.html), ...typed(page.html, values) }).toString(),
      }),
    )
    return read(sent)
  }

  #headers(): Record<string, string> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
    return { 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) }
  }

  async #load(request: Request): Promise<Loaded> {
    const { url } = request
    const response = await this.#fetch(request)
    if (response === undefined) throw new TypeError(`${url} is not a page of this server: go there by yourself.`)
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (response.status === 303 && location !== null)
      return this.#load(new Request(new URL(location, url), { headers: this.#headers() }))
    return { status: response.status, html: await response.text() }
  }
}

function read({ status, html }: Loaded): VisitedPage {
  const leadsTo = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1]
  return {
    status,
    title: textOf(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''),
    text: textOf(html.replace(/<style.*?<\/style>|<head.*?<\/head>/gs, '')),
    leadsTo: leadsTo === undefined ? undefined : unescaped(leadsTo),
  }
}

function textOf(html: string): string {
  return unescaped(html.replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
}

function hiddenIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries(Array.from(fields, ([, name = '', value = '']) => [name, unescaped(value)]))
}

/** The values under the names that the page has for them: a box that is not ticked is not sent. */
function typed(html: string, values: PageValues): Record<string, string> {
  const names = Array.from(html.matchAll(/ name="([^"]+)"/g), ([, name = '']) => name)
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = names.find(known => known === `field-${name}` || known === name)
      if (field === undefined) throw new TypeError(`The page has no field "${name}".`)
      return value === false ? [] : [[field, value === true ? 'on' : String(value)]]
    }),
  )
}
