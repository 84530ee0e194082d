// Someone who answers at a desk's inbox, by its REST surface.
type Json = Record<string, unknown>

export interface OpenAsk extends Json {
  readonly message: string
  readonly server: string
}

export interface InboxPerson {
  /** Waits until an ask with these words is open, and accepts it with content, or declines it. */
  answer(words: string, outcome: { action: 'accept'; content?: Json } | { action: 'decline' }): Promise<OpenAsk>
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
  return {
    async answer(words, outcome) {
      // A desk tells what happens by events; asking it again is enough for a test, and hurries nobody.
      for (;;) {
        const { asks } = (await call('/api/asks')) as { asks: (OpenAsk & { id: string })[] }
        const ask = asks.find(({ message }) => message.includes(words))
        if (ask !== undefined) {
          const { action, ...body } = outcome
          const verb = action === 'accept' ? 'answer' : 'decline'
          await call(`/api/asks/${encodeURIComponent(ask.id)}/${verb}`, { method: 'POST', body: JSON.stringify(body) })
          return ask
        }
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    },
  }
}
