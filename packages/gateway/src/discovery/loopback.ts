// Threat: a manifest that has the gateway connect to another machine, and hand it a person's answers.

const address = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a host name, as a URL has it, is this machine's own. */
export function isLoopbackHost(hostname: string): boolean {
  return address.test(hostname)
}

/** Whether a URL is of a WebSocket on this machine. */
export function isLoopbackSocket(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return protocol === 'ws:' && isLoopbackHost(hostname) && username === '' && password === ''
}
