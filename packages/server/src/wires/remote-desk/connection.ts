import { ElicitationNotAvailableError } from '@beckon/core'
import { boundedText } from '../../runtime/bounded-text.js'
import type { DeskTrouble } from './trouble.js'
import { DeskAwayError } from './while-away.js'

/** One request to a desk at a time, with its token. */
export interface DeskConnection {
  send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response>
  /** What a response says. @throws ElicitationNotAvailableError when the desk says no */
  read(response: Response): Promise<unknown>
}

const requestMs = 40_000
/** More than any answer that a person gives. */
const maxBytes = 1024 * 1024
/** As much as a person reads of why a desk said no. */
const maxDetail = 500

export function deskConnection(url: string, token: string, trouble: DeskTrouble): DeskConnection {
  const base = `${url.replace(/\/+$/, '')}/api/asks`
  return {
    async send(method, path, body, signal) {
      const timeout = AbortSignal.timeout(requestMs)
      return fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        // Wherever it leads, the token would go along.
        redirect: 'error',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(error => {
        const code = error?.cause?.code
        if (code === undefined) throw error
        trouble.away(String(code))
        throw new DeskAwayError('The desk cannot be reached.', { cause: error })
      })
    },

    async read(response) {
      if (response.status < 500) trouble.back()
      if (response.ok) return JSON.parse(await boundedText(response, maxBytes, 'The desk'))
      const { code, detail } = await problemOf(response)
      const said = response.status === 401 ? trouble.unknownToken() : `The desk answered: ${detail}`
      // A refusal of the desk is final; a desk that cannot be reached may be back in a moment.
      const isBusy = response.status === 429 && !isFull(code)
      if (response.status >= 500) trouble.away(detail)
      if (response.status >= 500 || isBusy) throw new DeskAwayError(said)
      throw new ElicitationNotAvailableError('form', { cause: new Error(said) })
    },
  }
}

/** What is open has to be answered first: to wait a moment does not help. */
function isFull(code: unknown): boolean {
  return code === 'too-many-asks' || code === 'session-full'
}

async function problemOf(response: Response): Promise<{ readonly code?: unknown; readonly detail: string }> {
  try {
    const { code, detail } = JSON.parse(await boundedText(response, maxBytes, 'The desk'))
    if (typeof detail === 'string') return { code, detail: detail.slice(0, maxDetail) }
  } catch {
    // A proxy in between answers in its own way.
  }
  return { detail: `status ${response.status}` }
}
