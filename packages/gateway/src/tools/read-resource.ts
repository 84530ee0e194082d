import { isRecord, RpcError } from '@beckon/core/json-rpc'
import type { Clock } from 'beckon'
import type { AppSession } from '../sessions/app-session.js'

const readMs = 60_000

/** The value of an application's resource, now. The application's error codes mean nothing to a client, which gets the words. */
export async function readResource(session: AppSession, name: string, clock: Clock): Promise<unknown> {
  const timeout = new AbortController()
  const late = new Error(`The resource "${name}" was not read within ${readMs} ms.`)
  const stopTimer = clock.after(readMs, () => timeout.abort(late))
  try {
    const result = await session.peer.request('resources/read', { name }, { signal: timeout.signal })
    return isRecord(result) ? result.value : undefined
  } catch (error) {
    throw error instanceof RpcError ? new Error(error.message) : error
  } finally {
    stopTimer()
  }
}
