import { deviceState, turnOff } from '../../notify/this-device.js'

/** Signs out of a desk; false where it knows of no such thing, since whoever lets people in keeps no session there. */
export async function signOut(api: string): Promise<boolean> {
  // Only who is signed in can take this device off the desk, and it tells nobody else what they are asked.
  if (deviceState() === 'push') await turnOff()
  const response = await fetch(new URL('/sign-out', api), { method: 'POST', redirect: 'manual' }).catch(() => undefined)
  return response !== undefined && (response.ok || response.type === 'opaqueredirect')
}
