// A person with a browser, as far as forms, redirects and cookies go: signs in and consents at an identity provider, and stops
// where that sends them back to.

/** Cookies by host, since the provider and the server are two of them. */
export class Person {
  readonly #name: string
  readonly #cookies = new Map<string, Map<string, string>>()

  constructor(name: string) {
    this.#name = name
  }

  /** Opens an address, and does what the provider's pages ask, until they are sent to where `stop` begins. */
  async open(address: string | URL, stop: string): Promise<URL> {
    let url = new URL(address)
    for (let hop = 0; hop < 20; hop++) {
      if (hop > 0 && url.href.startsWith(stop)) return url
      const response = await this.visit(url)
      const location = response.headers.get('location')
      url = location === null ? await this.#answer(url, await response.text()) : new URL(location, url)
    }
    throw new Error(`It goes round in a circle at ${url.href}.`)
  }

  async #answer(url: URL, page: string): Promise<URL> {
    const fields = page.includes('name="login"') ? { login: this.#name, do: 'login' } : { do: 'allow' }
    if (!page.includes('<form')) throw new Error(`There is nothing to do at ${url.href}: ${page}`)
    const response = await this.visit(url, { method: 'POST', body: new URLSearchParams(fields) })
    return new URL(response.headers.get('location') ?? '', url)
  }

  async visit(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const jar = this.cookiesOf(host)
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...init.headers },
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** What the browser has of a host. */
  cookiesOf(host: string): Map<string, string> {
    const jar = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, jar)
    return jar
  }
}
