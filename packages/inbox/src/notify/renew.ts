import { readSettings } from './desk-settings.js'
import { subscribe } from './this-device.js'

/** Tells the desk of this device again, as the device of the person who is signed in now. */
export async function renew(): Promise<void> {
  const key = (await readSettings())?.channels.push?.state?.publicKey
  if (key !== undefined) await subscribe(key)
}
