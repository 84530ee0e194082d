// The page's side of its service worker.

import { deviceState } from './this-device.js'

const script = '/service-worker.js'

interface ScriptUrlPolicy {
  createScriptURL(url: string): string
}

declare global {
  interface Window {
    /** A browser that has it takes the address of a script only from a policy that the page is allowed. */
    readonly trustedTypes?: { createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy }
  }
}

/** Registers the service worker, where the browser has such: it opens the page without a connection, and takes push messages. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }) => showAddress(data))
  const policy = window.trustedTypes?.createPolicy('beckon-worker', { createScriptURL: () => script })
  await navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script).catch(() => {})
  // The desk may have other keys by now, the browser another subscription, and someone else may be signed in.
  if (deviceState() === 'push') await (await import('./renew.js')).renew()
}

/** Someone tapped a notification, and this page is open. */
function showAddress(message: unknown): void {
  const path = typeof message === 'object' && message !== null && 'show' in message ? message.show : undefined
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('//')) return
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}
