// A desk in another process, over HTTP. An ask is put again and again until it has ended: that is how it waits, and how it
// outlives a desk that was restarted.
import { BeckonError, ElicitationNotAvailableError } from '@beckon/core'
import type { AskDesk, DeskPlace } from './desk.js'

export interface RemoteDeskOptions {
  /** Where the desk is. */
  readonly url: string
  /** The token that the desk has for this server: `createDesk({ servers: { shop: token } })`. */
  readonly token: string
}

type Ending = Awaited<ReturnType<DeskPlace['ask']>>

const requestMs = 40_000
const firstPauseMs = 500
const longestPauseMs = 15_000

/** A desk URL may carry the token as its password: `https://shop:token@desk.example`. */
export function remoteDeskFrom(given: string | RemoteDeskOptions): AskDesk {
  if (typeof given !== 'string') return remoteDesk(given)
  // What Node would throw has the whole address in it, and so the token.
  if (!URL.canParse(given)) throw new TypeError('The address of the desk is no URL: https://name:token@desk.example.')
  const url = new URL(given)
  const token = decodeURIComponent(url.password) || process.env.BECKON_DESK_TOKEN
  if (!token)
    throw new TypeError(
      'A desk URL needs the token that the desk has for this server: https://name:token@desk.example, or BECKON_DESK_TOKEN.',
    )
  url.username = ''
  url.password = ''
  return remoteDesk({ url: url.href, token })
}

function remoteDesk({ url, token }: RemoteDeskOptions): AskDesk {
  const base = url.endsWith('/') ? url : `${url}/`
  async function send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const timeout = AbortSignal.timeout(requestMs)
    return fetch(`${base}servers/calls/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  return {
    async attend({ id, tool, input, principal }) {
      const call = encodeURIComponent(id)
      const attend = async () => read(await send('POST', call, { tool, input, principal }))
      const { link } = (await attend()) as { link: string }
      return {
        link,
        ask: (askId, ask, { expiresAt, signal }) =>
          untilEnded(signal, async () => {
            const put = () => send('PUT', `${call}/asks/${encodeURIComponent(askId)}`, { ask, expiresAt }, signal)
            let response = await put()
            if (response.status === 409) {
              // A desk that was restarted knows the ask, and not the call.
              await attend()
              response = await put()
            }
            return response.status === 202 ? undefined : ((await read(response)) as Ending)
          }).finally(() => {
            if (signal.aborted) send('DELETE', `${call}/asks/${encodeURIComponent(askId)}`).catch(() => {})
          }),
        async leave(how) {
          await read(await send('POST', `${call}/end`, { how }))
        },
      }
    },
  }
}

async function untilEnded(signal: AbortSignal, attempt: () => Promise<Ending | undefined>): Promise<Ending> {
  let pauseMs = firstPauseMs
  for (;;) {
    try {
      const ending = await attempt()
      if (ending !== undefined) return ending
      pauseMs = firstPauseMs
    } catch (error) {
      if (signal.aborted) return { kind: 'outcome', outcome: { action: 'cancel' } }
      if (error instanceof BeckonError) throw error
      await pause(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
}

/** A desk that says no has said so; one that cannot be reached may be back in a moment. */
async function read(response: Response): Promise<unknown> {
  if (response.ok) return response.json()
  const { detail = `status ${response.status}` } = (await response.json().catch(() => ({}))) as { detail?: string }
  const problem = new Error(`The desk answered: ${detail}`)
  if (response.status >= 500 || response.status === 429) throw problem
  throw Object.assign(new ElicitationNotAvailableError('form'), { cause: problem })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
