// Which of a person's devices something was done on, for the audit and for other devices to see. It is what the device
// says it is, and proves nothing: rights come from the person alone.
import { type CookiePlace, digestOf, newSecret, type Random, readCookie, setCookie } from 'beckon/sign-in/adapter'
import type { AccessRequest, Header } from '../access.js'

/** The longest that browsers keep a cookie. */
const maxAgeMs = 400 * 24 * 60 * 60 * 1000

const wellFormed = /^[\w.-]{1,64}$/

/** The device's own id (`x-beckon-device`, or its cookie), or else one made of what is known of it. */
export function deviceOf(request: AccessRequest, principal: string, publicOrigin?: string): string {
  const said = [request.header('x-beckon-device'), readCookie(request, { kind: 'device', publicOrigin })]
  const known = said.find(id => id !== undefined && wellFormed.test(id))
  if (known !== undefined) return known
  const traits = [principal, request.header('user-agent') ?? '', request.remoteAddress]
  return `d-${digestOf(JSON.stringify(traits)).slice(0, 16)}`
}

/** Gives a browser an id of its own, unless it has one. */
export function deviceCookie(request: AccessRequest, random: Random, publicOrigin: string | undefined): Header[] {
  const place: CookiePlace = { kind: 'device', publicOrigin }
  const known = readCookie(request, place)
  return known !== undefined && wellFormed.test(known)
    ? []
    : [setCookie(request, place, newSecret(random).slice(0, 22), maxAgeMs)]
}
