import type { DeskClient } from '../../live/desk-client.js'
import { deviceState, turnOff } from '../../notify/this-device.js'

/** So long someone waits who leaves, for the desk to take what they decided. */
const maxGoodbyeMs = 5_000

/** Sends all that was held back, and resolves once the desk has said something to each, or when that takes too long. */
export async function sendHeld(client: DeskClient): Promise<void> {
  const asks = client.held.map(({ ask }) => ask)
  for (const ask of asks) client.release(ask)
  const deadline = AbortSignal.timeout(maxGoodbyeMs)
  await new Promise<void>(resolve => {
    const look = (): void => {
      if (asks.every(ask => client.completionOf(ask) === undefined)) resolve()
    }
    client.addEventListener('change', look, { signal: deadline })
    deadline.addEventListener('abort', () => resolve())
    look()
  })
}

/** Signs out of a desk; false where it knows of no such thing, since what lets people in keeps no session there. */
export async function signOut(api: string): Promise<boolean> {
  // Only who is signed in can take this device off the desk, and it tells nobody else what they are asked.
  if (deviceState() === 'push') await turnOff()
  const response = await fetch(new URL('/sign-out', api), { method: 'POST', redirect: 'manual' }).catch(() => undefined)
  return response !== undefined && (response.ok || response.type === 'opaqueredirect')
}
