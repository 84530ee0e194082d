// What may come back. An error that nobody thought of is a finding, however politely it is said.
import { Finding } from './driver.mjs'

/**
 * @param {number} status
 * @param {string} text
 * @param {unknown} input
 */
export function judgeStatus(status, text, input) {
  if (status >= 500 || status < 200) throw finding(`status ${status}`, text, input)
}

/**
 * A reply of the endpoint: a JSON-RPC message, or the first event of a stream.
 * @param {{ status: number, text: string } | undefined} reply
 * @param {unknown} input
 */
export function judgeRpc(reply, input) {
  if (reply === undefined) return
  const { status, text } = reply
  judgeStatus(status, text, input)
  const json = /^data: ?(.+)$/m.exec(text)?.[1] ?? text
  if (json === '' || (!json.startsWith('{') && !json.startsWith('['))) return
  judgeMessage(json, input)
}

/**
 * @param {string} text one JSON-RPC message, or several
 * @param {unknown} input
 */
export function judgeMessage(text, input) {
  /** @type {unknown} */
  let parsed
  try {
    parsed = JSON.parse(text)
  } catch {
    throw finding('a reply that is not JSON', text, input)
  }
  for (const message of [parsed].flat()) {
    const { error } = /** @type {{ error?: { code?: unknown, message?: unknown } }} */ (message)
    if (error === undefined) continue
    if (!Number.isSafeInteger(error.code) || typeof error.message !== 'string')
      throw finding('an error that is none', text, input)
    if (error.code === -32603) throw finding('an internal error', text, input)
  }
}

/**
 * @param {string} what
 * @param {string} text
 * @param {unknown} input
 */
export function finding(what, text, input) {
  const sent = typeof input === 'string' ? input : JSON.stringify(input)
  return new Finding(`${what}: ${text.slice(0, 300)} for ${sent?.slice(0, 600)}`)
}
