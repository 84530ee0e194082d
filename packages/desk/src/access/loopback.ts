/** Whether a host name, as given to `listen` or as part of a URL, can be reached from this machine only. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname)
}
