// Answers an ask from its notification: as its person, with the sign-in of this browser, over REST. What the push message said
// proves nothing: the desk is asked first whether this is still what is asked, and may still be answered with one word.
import type { AskMessage } from './message.js'

type Answered = 'answered' | 'over' | 'failed'

export async function answer(message: AskMessage, response: 'accept' | 'decline'): Promise<Answered> {
  const at = `/api/asks/${encodeURIComponent(message.session)}/${encodeURIComponent(message.ask)}`
  try {
    const found = await fetch(at, { redirect: 'error' })
    if (found.status === 404) return 'over'
    if (!found.ok) return 'failed'
    if (!isTheSame(message, (await found.json()) as Asked)) return 'over'
    const sent = await fetch(`${at}/${response === 'accept' ? 'answer' : 'decline'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ askedAt: message.askedAt }),
      redirect: 'error',
    })
    return sent.ok ? 'answered' : sent.status === 409 ? 'over' : 'failed'
  } catch {
    return 'failed'
  }
}

interface Asked {
  readonly status?: unknown
  readonly kind?: unknown
  readonly askedAt?: unknown
  readonly destructive?: unknown
  readonly person?: unknown
  readonly show?: unknown
}

function isTheSame({ askedAt }: AskMessage, asked: Asked): boolean {
  const { kind, destructive, person, show } = asked
  const isSimple = kind === 'confirm' && destructive === undefined && person === undefined && show === undefined
  return asked.status === 'open' && asked.askedAt === askedAt && isSimple
}
