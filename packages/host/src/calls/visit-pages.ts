import type { ElicitRequestURLParams } from '@modelcontextprotocol/client'
import type { Connection } from '../connection.js'
import type { RunningCall } from './running-call.js'

/** How long a page may take before the call is tried again without word of it. */
const visitMs = 5 * 60 * 1_000

/** Has a person visit every page; whether they agreed to all of them, and are done as far as the server tells. */
export async function visitPages(
  pages: readonly ElicitRequestURLParams[],
  connection: Connection,
  call: RunningCall,
  signal: AbortSignal,
): Promise<boolean> {
  const visits = pages.map(async page => {
    const { action } = await connection.elicit({ ...page, mode: 'url' }, signal, call)
    if (action !== 'accept') return false
    await connection.completions.wait(page.elicitationId ?? '', AbortSignal.any([signal, AbortSignal.timeout(visitMs)]))
    return !signal.aborted
  })
  return (await Promise.all(visits)).every(Boolean)
}
