const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** Whether a host name, as given to `listen`, can be reached from this machine only. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname) || hostname === '::1'
}
