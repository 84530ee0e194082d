// Someone at a desk, by its REST surface and the one-time link that it gives out.

/** An ask as the desk tells of it. */
export interface Ask {
  readonly id: string
  readonly session: string
  readonly server: string
  readonly tool: string
  readonly arguments: unknown
  readonly destructive: boolean
}

export interface Person {
  /** Waits until something is asked. */
  sees(): Promise<Ask[]>
  /** Whether it counted: the first answer does. */
  approve(ask: Ask): Promise<boolean>
  decline(ask: Ask, reason: string): Promise<boolean>
}

export async function sitDown(link: string): Promise<Person> {
  const { origin } = new URL(link)
  const { headers } = await fetch(link, { redirect: 'manual' })
  const cookie = headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  const send = (path: string, body?: object) =>
    fetch(`${origin}/api/asks${path}`, {
      headers: { cookie, origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const act = async ({ session, id }: Ask, how: string, body: object) => {
    const response = await send(`/${[session, id, how].map(encodeURIComponent).join('/')}`, body)
    return response.ok
  }
  return {
    async sees() {
      for (;;) {
        const { asks } = (await (await send('')).json()) as { asks: Ask[] }
        if (asks.length > 0) return asks
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    approve: ask => act(ask, 'answer', {}),
    decline: (ask, reason) => act(ask, 'decline', { reason }),
  }
}
