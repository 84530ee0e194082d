// The threats: somebody who is signed in as a person, and is not them. A first passkey is made by the person who is signed in then;
// from there on another one is added, and one is removed, only with one that is there: a session that was stolen later can do
// neither. A person who lost all of theirs is helped by an admin, who removes them. Not defended: a stolen session before the first.
//
// What an authenticator says counts only with user verification, from our own origin, for a challenge that was given to this
// very person for this very thing, and never twice.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import { Challenges, type Purpose } from './challenges.js'
import { type Credential, Credentials, isBehind, maxPasskeys } from './credentials.js'
import type { RelyingParty } from './relying-party.js'

/** Why an authenticator's word does not count. */
export type PasskeyRefusal =
  /** The person has no passkey. */
  | 'none'
  /** It is of somebody else, or was removed. */
  | 'unknown'
  /** It was used before, is too old, or is for something else. */
  | 'challenge'
  /** Another site, no user verification, a signature that does not fit, or no assertion at all. */
  | 'invalid'
  /** The authenticator counted back: somebody has a copy. */
  | 'cloned'
  /** The person has as many as they may. */
  | 'too-many'

/** A passkey as its owner sees it. */
export type PasskeyView = Pick<Credential, 'id' | 'name' | 'createdAt' | 'usedAt'>

export type Verified = { readonly isVerified: true; readonly credential: string } | Refused
interface Refused {
  readonly isVerified: false
  readonly why: PasskeyRefusal
  /** The same, for people. */
  readonly message: string
}

/** What a browser needs to make a passkey: for a person who has one, an assertion of that comes first. */
export interface EnrolOptions {
  readonly create: PublicKeyCredentialCreationOptionsJSON
  readonly get?: PublicKeyCredentialRequestOptionsJSON
}

export interface PeoplePasskeysOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** Found when it is needed: an address may not be known before. */
  readonly relyingParty: () => RelyingParty | Promise<RelyingParty>
  /** What stands before every name in the store. */
  readonly prefix?: string | undefined
}

const maxName = 100
/** What a browser sends is a few kilobytes. */
const maxResponseChars = 32 * 1024

/** The passkeys of people: made, used and removed. */
export class PeoplePasskeys {
  readonly #credentials: Credentials
  readonly #challenges: Challenges
  readonly #options: PeoplePasskeysOptions

  constructor(options: PeoplePasskeysOptions) {
    this.#options = options
    const { store, clock, prefix = '' } = options
    this.#credentials = new Credentials(store, prefix)
    this.#challenges = new Challenges(store, clock, prefix)
  }

  async list(principal: string): Promise<PasskeyView[]> {
    const keys = await this.#credentials.of(principal)
    return keys.map(({ id, name, createdAt, usedAt }) => ({ id, name, createdAt, ...(usedAt && { usedAt }) }))
  }

  /** What a browser needs to have a person confirm something; undefined for a person without a passkey. */
  async ask(principal: string, purpose: Purpose): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
    const keys = await this.#credentials.of(principal)
    if (keys.length === 0) return undefined
    const { id: rpID } = await this.#options.relyingParty()
    return generateAuthenticationOptions({
      rpID,
      challenge: bytes(await this.#challenges.give(principal, purpose)),
      allowCredentials: keys.map(({ id, transports }) => ({ id, ...(transports && { transports: [...transports] }) })),
      userVerification: 'required',
    })
  }

  /** Whether an authenticator's word is this person's, for this very purpose. It is used up, also when it is not. */
  async verify(principal: string, purpose: Purpose, given: unknown): Promise<Verified> {
    const response = assertionIn(given)
    const challenge = response && challengeIn(response.response.clientDataJSON)
    if (response === undefined || challenge === undefined) return refused('invalid')
    const isOpen = await this.#challenges.take(principal, purpose, challenge)
    const keys = await this.#credentials.of(principal)
    if (keys.length === 0) return refused('none')
    const key = keys.find(({ id }) => id === response.id)
    if (key === undefined) return refused('unknown')
    if (!isOpen) return refused('challenge')
    const checked = await this.#check(key, response, challenge)
    if (checked === undefined) return refused('invalid')
    const { clock } = this.#options
    const isCounted =
      !isBehind(checked.counter, key) &&
      (await this.#credentials.used(principal, { id: key.id, counter: checked.counter, at: clock.now() }))
    return isCounted ? { isVerified: true, credential: key.id } : refused('cloned')
  }

  /** What a browser needs to make a passkey for a person; undefined for one who has as many as they may. */
  async enrolOptions(principal: string, displayName: string = principal): Promise<EnrolOptions | undefined> {
    const keys = await this.#credentials.of(principal)
    if (keys.length >= maxPasskeys) return undefined
    const { id: rpID, name: rpName } = await this.#options.relyingParty()
    const create = await generateRegistrationOptions({
      rpID,
      rpName,
      userName: displayName,
      userDisplayName: displayName,
      userID: bytes(await this.#credentials.user(principal)),
      challenge: bytes(await this.#challenges.give(principal, newPasskey)),
      attestationType: 'none',
      excludeCredentials: keys.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    })
    const get = await this.ask(principal, { kind: 'enrol', about: create.challenge })
    return { create, ...(get && { get }) }
  }

  /** Keeps a passkey that a browser has made. */
  async enrol(
    principal: string,
    { create, get, name = 'Passkey' }: { create: unknown; get?: unknown; name?: string | undefined },
  ): Promise<Verified> {
    const response = registrationIn(create)
    const challenge = response && challengeIn(response.response.clientDataJSON)
    if (response === undefined || challenge === undefined) return refused('invalid')
    const isOpen = await this.#challenges.take(principal, newPasskey, challenge)
    if (!isOpen) return refused('challenge')
    const before = await this.#credentials.of(principal)
    if (before.length > 0) {
      const proven = await this.verify(principal, { kind: 'enrol', about: challenge }, get)
      if (!proven.isVerified) return proven
    }
    const made = await this.#checkNew(response, challenge)
    if (made === undefined) return refused('invalid')
    const added = { ...made, name: name.slice(0, maxName), createdAt: this.#options.clock.now() }
    // A person who had none when they began has none still: else two at once would both be the first.
    const isAdded = await this.#credentials.add(principal, added, now => before.length > 0 || now.length === 0)
    return isAdded ? { isVerified: true, credential: made.id } : refused('too-many')
  }

  /** What a browser needs to have a person remove a passkey. */
  removeOptions(principal: string, id: string): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
    return this.ask(principal, { kind: 'remove', about: id })
  }

  /** Removes one of a person's own, as they confirm with any of them. */
  async remove(principal: string, id: string, get: unknown): Promise<Verified> {
    const proven = await this.verify(principal, { kind: 'remove', about: id }, get)
    if (!proven.isVerified) return proven
    return (await this.#credentials.remove(principal, id)) ? proven : refused('unknown')
  }

  /** For an admin, who helps someone that lost theirs: how many there were. */
  removeAll(principal: string): Promise<number> {
    return this.#credentials.removeAll(principal)
  }

  async #check(key: Credential, response: AuthenticationResponseJSON, expectedChallenge: string) {
    const { id, origins } = await this.#options.relyingParty()
    const credential = { id: key.id, publicKey: bytes(key.publicKey), counter: 0 }
    try {
      // The counter is looked at where it is kept, so that of two uses at once one is the first.
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...{ response, expectedChallenge, expectedOrigin: [...origins], expectedRPID: id, credential },
        requireUserVerification: true,
      })
      const { newCounter: counter, userVerified } = authenticationInfo
      return verified && userVerified ? { counter } : undefined
    } catch {
      return undefined
    }
  }

  async #checkNew(response: RegistrationResponseJSON, expectedChallenge: string) {
    const { id, origins } = await this.#options.relyingParty()
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        ...{ response, expectedChallenge, expectedOrigin: [...origins], expectedRPID: id },
        requireUserVerification: true,
      })
      if (registrationInfo === undefined) return undefined
      const { credential } = registrationInfo
      const { transports } = credential
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        ...(transports && { transports: transports.map(String) }),
      }
    } catch {
      return undefined
    }
  }
}

const words: Readonly<Record<PasskeyRefusal, string>> = {
  none: 'You have no passkey here yet. Add one first.',
  unknown: 'This passkey is not one of yours here.',
  challenge: 'This was confirmed before, took too long, or was for something else. Confirm again.',
  invalid: 'The passkey could not be checked. Confirm again, and let the device verify that it is you.',
  cloned:
    'The device counts as if there were two of it, so its word is not taken. Use another passkey, and remove this one.',
  'too-many': 'You cannot add another passkey now.',
}

const newPasskey: Purpose = { kind: 'enrol', about: 'a new passkey' }

function refused(why: PasskeyRefusal): Refused {
  return { isVerified: false, why, message: words[why] }
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

/** The challenge that an authenticator was given, as the browser has written it down. */
function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

function assertionIn(given: unknown): AuthenticationResponseJSON | undefined {
  const has = (names: readonly string[]) => hasTexts(given, names)
  return has(['clientDataJSON', 'authenticatorData', 'signature']) ? (given as AuthenticationResponseJSON) : undefined
}

function registrationIn(given: unknown): RegistrationResponseJSON | undefined {
  return hasTexts(given, ['clientDataJSON', 'attestationObject']) ? (given as RegistrationResponseJSON) : undefined
}

/** As far as it matters before the library looks: it is of a size that a browser sends, with texts where there have to be some. */
function hasTexts(given: unknown, names: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null || (JSON.stringify(given)?.length ?? 0) > maxResponseChars)
    return false
  const { id, response } = given as Fields
  if (typeof id !== 'string' || typeof response !== 'object' || response === null) return false
  return names.every(name => typeof (response as Fields)[name] === 'string')
}
