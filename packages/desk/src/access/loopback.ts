/** Whether a host name, as given to `listen` or as part of a URL, can be reached from this machine only. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname)
}

/** A URL that a secret may travel to: `https`, or on this machine. Throws and says which setting is wrong. */
export function secureUrl(text: string, setting: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === undefined || !isSecure || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new Error(`${setting} has to be an https: URL (http: only on this machine), and is "${text}".`)
  }
  return url
}
