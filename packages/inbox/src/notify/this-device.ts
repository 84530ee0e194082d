// Whether someone is told of asks on this device: by push where the desk has it, else by the page while it is open.

/** How this device tells. */
export type DeviceState = 'push' | 'page' | 'off' | 'denied' | 'unavailable'

const wanted = 'beckon/notify'

/** As this browser remembers it; it may have lost its subscription since. */
export function deviceState(): DeviceState {
  if (!('Notification' in globalThis)) return 'unavailable'
  if (Notification.permission === 'denied') return 'denied'
  const chosen = Notification.permission === 'granted' ? localStorage.getItem(wanted) : null
  return chosen === 'push' || chosen === 'page' ? chosen : 'off'
}

/** Asks the person, unless they were asked; then this device tells. Call it on a click. */
export async function turnOn(pushKey: string | undefined): Promise<DeviceState> {
  if ((await Notification.requestPermission()) !== 'granted') return deviceState()
  const isPushed = pushKey !== undefined && (await subscribe(pushKey))
  localStorage.setItem(wanted, isPushed ? 'push' : 'page')
  return deviceState()
}

export async function turnOff(): Promise<DeviceState> {
  localStorage.removeItem(wanted)
  const subscription = await current()
  if (subscription !== null && subscription !== undefined) {
    const id = await idOf(subscription.endpoint)
    await fetch(`/api/notify/push/subscriptions/${id}`, { method: 'DELETE' }).catch(() => {})
    await subscription.unsubscribe()
  }
  return deviceState()
}

/** True when the desk has this device's subscription. Where there is no push service, the page tells instead. */
export async function subscribe(key: string): Promise<boolean> {
  try {
    const { pushManager } = await navigator.serviceWorker.ready
    const known = await pushManager.getSubscription()
    // One for another desk's keys, or an earlier desk's, gets nothing from this one.
    if (known !== null && !isFor(known, key)) await known.unsubscribe()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const response = await fetch('/api/notify/push/subscriptions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(subscription),
    })
    return response.ok
  } catch {
    return false
  }
}

async function current(): Promise<PushSubscription | null | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  return (await navigator.serviceWorker.getRegistration())?.pushManager?.getSubscription()
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key
}

async function idOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
