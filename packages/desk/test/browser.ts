// As much of a browser as access can tell: it keeps cookies, and says where a request comes from.
import { type Reply, type Sent, sendTo } from './access-server.js'

const visit = {
  accept: 'text/html,*/*',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'user-agent': 'Browser',
}

export class Browser {
  readonly cookies = new Map<string, string>()

  /** The person opens an address, and is led no further. */
  visit(url: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send(url, { headers: { ...visit, ...headers } })
  }

  /** The person opens an address, and is led on to the last page. */
  async follow(url: string): Promise<Reply & { readonly url: string }> {
    const reply = await this.visit(url)
    const { location } = reply.headers
    return location === undefined ? { ...reply, url } : this.follow(new URL(location, url).href)
  }

  /** A script on a page makes a request to that page's own origin. */
  fromPage(url: string, { method = 'GET', headers = {} }: Sent = {}): Promise<Reply> {
    const { origin } = new URL(url)
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    const sent = method === 'GET' && headers.upgrade === undefined ? own : { ...own, origin }
    return this.send(url, { method, headers: { ...sent, ...headers } })
  }

  async send(url: string, { method = 'GET', headers = {} }: Sent = {}): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await sendTo(new URL(url), { method, headers: { ...(cookie && { cookie }), ...headers } })
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0(;|$)/.test(line)) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return reply
  }
}

/** What a script needs for a WebSocket to its own page's origin. */
export const socket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-fetch-mode': 'websocket' }
