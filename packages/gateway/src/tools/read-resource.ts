import type { Clock } from 'beckon'
import type { AppSession } from '../sessions/app-session.js'
import { codes } from '../wire/codes.js'
import { isRecord } from '../wire/messages.js'
import { RpcError } from '../wire/rpc-error.js'

const readMs = 60_000

/** The value of an application's resource, now. */
export async function readResource(session: AppSession, name: string, clock: Clock): Promise<unknown> {
  const { answer, abandon } = session.peer.begin('resources/read', { name })
  let stopTimer = (): void => {}
  const timeout = new Promise<never>((_, reject) => {
    const error = new RpcError(codes.timeout, `The resource "${name}" was not there within ${readMs} ms.`)
    stopTimer = clock.after(readMs, () => reject(error))
  })
  try {
    const result = await Promise.race([answer, timeout])
    return isRecord(result) ? result.value : undefined
  } finally {
    stopTimer()
    abandon()
  }
}
