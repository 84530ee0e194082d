import { isLoopback } from '../runtime/loopback.js'

/** A URL that a secret may travel to: `https`, or on this machine. Throws and says which setting is wrong. */
export function secureUrl(text: string, setting: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === undefined || !isSecure || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new TypeError(`${setting} must be an https: URL (http: only on this machine), and is "${text}".`)
  }
  return url
}
