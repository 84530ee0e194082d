// The rounds that a server of 2026-07-28 wants before it is done, for a client that cannot have them itself.
// Threat: a server that is never done. What it asks takes its time; a round that asks nothing takes none, and would be sent again
// as fast as the server answers. So those are paced, and all of them are counted.
import type { Progress } from '@modelcontextprotocol/client'
import { type Fields, fields } from '../fields.js'
import type { Asker } from './running.js'
import type { Upstream } from './upstream.js'

export interface Fulfilling {
  readonly ask: Asker
  readonly signal: AbortSignal
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly upstream: Pick<Upstream, 'forward'>
}

const maxRounds = 100
/** Before a round that follows one which asked nothing: as the official client has it, and then longer each time. */
const firstPauseMs = 250
const maxPauseMs = 5_000

/** Sends a request on, and answers its rounds until the server is done. @throws Error for one that is not after `maxRounds` */
export async function fulfilRounds(method: string, params: Fields, options: Fulfilling): Promise<Fields> {
  const { ask, signal, onProgress, upstream } = options
  let round: Fields = {}
  let pauseMs = firstPauseMs
  for (let rounds = 0; ; rounds++) {
    const result = await upstream.forward(method, { ...params, ...round }, { signal, onProgress })
    if (result.resultType !== 'input_required') return result
    // Before anyone is asked for an answer that would go nowhere.
    if (rounds === maxRounds) throw neverDone(method)
    const requests = Object.entries(fields(result.inputRequests))
    const responses = requests.map(async ([key, request]) => {
      const { method: asked, params: given } = fields(request)
      return [key, await ask(String(asked), fields(given), signal)] as const
    })
    round = { inputResponses: Object.fromEntries(await Promise.all(responses)), requestState: result.requestState }
    if (requests.length > 0) {
      pauseMs = firstPauseMs
      continue
    }
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

function neverDone(method: string): Error {
  const message = `The server still wants something more after ${maxRounds} rounds of "${method}". The request was given up.`
  return Object.assign(new Error(message), { code: -32603 })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
  signal.throwIfAborted()
}
