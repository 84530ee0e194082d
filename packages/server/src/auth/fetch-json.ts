import { boundedText } from '../runtime/bounded-text.js'

const timeoutMs = 5_000
const maxBytes = 1024 * 1024

/** Fetches a JSON object. Follows no redirect: what is sent along must not end up elsewhere. */
export async function fetchJson(url: URL, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    ...init,
    headers: { accept: 'application/json', ...init.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new FetchStatusError(url, response.status)
  }
  const value = parsed(await boundedText(response, maxBytes))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${url.origin}${url.pathname} answered with something that is not a JSON object.`)
  }
  return { ...value }
}

/** The other side answered, and not with what was asked for. */
export class FetchStatusError extends Error {
  readonly status: number

  constructor(url: URL, status: number) {
    super(`${url.origin}${url.pathname} answered with status ${status}.`)
    this.status = status
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
