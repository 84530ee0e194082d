// A person at a desk: a program that watches the desk's events and answers over its REST interface. Nothing of Beckon is
// imported here.
import type { Person } from './client.js'

interface Ask {
  readonly session: string
  readonly id: string
  readonly url?: string
}

/** Answers whatever the desk shows to them, until they leave. */
export async function sitDown(deskUrl: string, person: Person): Promise<{ leave(): Promise<void> }> {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${person.name}`, 'content-type': 'application/json' }
  const { body } = await fetch(new URL('/api/events', deskUrl), { headers, signal: leaving.signal })

  async function answer({ session, id, url }: Ask): Promise<void> {
    if (url !== undefined) await person.open(url)
    const how = person.agrees ? 'answer' : 'decline'
    const path = `/api/asks/${encodeURIComponent(session)}/${encodeURIComponent(id)}/${how}`
    const { ok, status } = await fetch(new URL(path, deskUrl), { method: 'POST', headers, body: '{}' })
    if (!ok) throw new Error(`The desk answered with status ${status}.`)
  }

  async function watch(): Promise<void> {
    let text = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, asked] = /^event: asked\ndata: (.+)$/m.exec(event) ?? []
        if (asked !== undefined) await answer(JSON.parse(asked))
      }
    }
  }

  const watching = watch().catch(error => {
    if (!leaving.signal.aborted) throw error
  })
  return {
    leave() {
      leaving.abort()
      return watching
    },
  }
}
