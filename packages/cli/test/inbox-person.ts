// Someone who answers at a desk's inbox, by its REST surface.
type Json = Record<string, unknown>

export interface OpenAsk extends Json {
  readonly session: string
  readonly id: string
  readonly message: string
  readonly server: string
}

export interface InboxPerson {
  /** Waits until an ask with these words is open. */
  sees(words: string): Promise<OpenAsk>
  /** An ask as it is now, open or ended. */
  look(ask: OpenAsk): Promise<Json>
  /** Waits until nothing is open. */
  seesNothing(): Promise<void>
  /** Waits until an ask with these words is open, and accepts it with content, or declines it. */
  answer(
    words: string,
    outcome: { action: 'accept'; content?: Json } | { action: 'decline'; reason?: string },
  ): Promise<OpenAsk>
}

/** Opens a one-time link, as a browser does. */
export async function openInbox(link: string): Promise<InboxPerson> {
  const origin = new URL(link).origin
  const opened = await fetch(link, { redirect: 'manual' })
  const cookie = opened.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  const call = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const headers = { cookie, origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const response = await fetch(`${origin}${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Json
  }
  // A desk tells what happens by events; asking it again is enough for a test, and hurries nobody.
  async function wait<T>(found: (asks: OpenAsk[]) => T | undefined): Promise<T> {
    for (;;) {
      const { asks } = (await call('/api/asks')) as { asks: OpenAsk[] }
      const value = found(asks)
      if (value !== undefined) return value
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const sees: InboxPerson['sees'] = words => wait(asks => asks.find(({ message }) => message.includes(words)))
  const pathOf = ({ session, id }: OpenAsk) => `/api/asks/${encodeURIComponent(session)}/${encodeURIComponent(id)}`
  return {
    sees,
    look: ask => call(pathOf(ask)),
    async seesNothing() {
      await wait(asks => (asks.length === 0 ? true : undefined))
    },
    async answer(words, outcome) {
      const ask = await sees(words)
      const { action, ...body } = outcome
      const verb = action === 'accept' ? 'answer' : 'decline'
      await call(`${pathOf(ask)}/${verb}`, { method: 'POST', body: JSON.stringify(body) })
      return ask
    },
  }
}
