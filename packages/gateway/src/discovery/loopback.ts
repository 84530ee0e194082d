// Threat: a manifest that has the gateway connect to another machine, and hand it a person's answers.
import { isLoopback } from 'beckon/http/adapter'

/** Whether a URL is of a WebSocket on this machine. */
export function isLoopbackSocket(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return protocol === 'ws:' && isLoopback(hostname) && username === '' && password === ''
}
