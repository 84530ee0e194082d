// The threat: someone who signs in our name. Keys are in the store, sealed as everything there is; a key signs for three months
// and its private part is gone with the next one, while its public part stays published for good, so that old receipts can be
// checked. A new key is published for a day before it signs: anyone who keeps a copy of the list has it by then.
// Not defended: who has the keys of the store. Without a shared store the keys are gone with the process: hand the list on.
import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { digest } from '../crypto/digest.js'
import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import { type Receipted, receiptOf } from './receipt.js'

/** A public key, as RFC 7517 has it. */
export interface ReceiptJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** The keys that check receipts, those of earlier times with them. */
export interface ReceiptJwks {
  readonly keys: readonly ReceiptJwk[]
}

export interface ReceiptKeysOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** What stands before their name in the store. */
  readonly prefix?: string | undefined
}

interface StoredKey {
  readonly kid: string
  readonly x: string
  /** The private part; gone once another key signs. */
  readonly d?: string
  readonly createdAt: number
}

interface Loaded {
  readonly keys: readonly StoredKey[]
  readonly signs: { readonly kid: string; readonly key: KeyObject }
  readonly at: number
}

/** The type that a receipt's header names, so that nothing else we sign is taken for one. */
export const receiptType = 'beckon-receipt+jwt'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const rotateMs = 90 * dayMs
/** Fifty years of them. */
const maxKeys = 200

/** The keys that sign receipts, made by the first that needs them. */
export class ReceiptKeys {
  readonly #cell: Cell<readonly StoredKey[]>
  readonly #clock: Pick<Clock, 'now'>
  #loaded: Loaded | undefined
  #loading: Promise<Loaded> | undefined

  constructor({ store, clock, prefix = '' }: ReceiptKeysOptions) {
    this.#cell = new Cell(store, `${prefix}receipt-keys`)
    this.#clock = clock
  }

  /** Reads the keys, where that was not done within the hour. Rejects when it never was, and the store is away. */
  async ready(): Promise<void> {
    const known = this.#loaded
    if (known !== undefined && this.#clock.now() - known.at < hourMs) return
    try {
      await this.#load()
    } catch (error) {
      if (known === undefined) throw error
    }
  }

  /** Signs a statement at once: call `ready` first. */
  sign(receipted: Receipted): string {
    if (this.#loaded === undefined) throw new Error('The keys that sign receipts are not there yet.')
    const { kid, key } = this.#loaded.signs
    const signed = `${encode({ alg: 'EdDSA', typ: receiptType, kid })}.${encode(receiptOf(receipted))}`
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
  }

  async jwks(): Promise<ReceiptJwks> {
    const { keys } = await this.#load()
    return {
      keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' })),
    }
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #read(): Promise<Loaded> {
    const now = this.#clock.now()
    const made = newKey(now)
    const keys = await this.#cell.update<readonly StoredKey[]>(known => {
      const next = keysAt(known ?? [], made, now)
      return next === known ? { result: next } : { value: next, result: next }
    })
    const current = signingKey(keys, now)
    if (current?.d === undefined) throw new Error('The keys that sign receipts have no private part.')
    const jwk: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', x: current.x, d: current.d }
    this.#loaded = { keys, signs: { kid: current.kid, key: createPrivateKey({ key: jwk, format: 'jwk' }) }, at: now }
    return this.#loaded
  }
}

/** The keys as they should be, the newest first; the same list when that is how they are. */
function keysAt(known: readonly StoredKey[], made: StoredKey, now: number): readonly StoredKey[] {
  const [newest] = known
  const isFresh = newest !== undefined && now - newest.createdAt < rotateMs
  const keys = isFresh ? known : [made, ...known].slice(0, maxKeys)
  const signs = signingKey(keys, now)
  const isRetired = (key: StoredKey) =>
    key.d !== undefined && signs !== undefined && key.createdAt < signs.createdAt - dayMs
  return keys.some(isRetired) ? keys.map(key => (isRetired(key) ? withoutPrivate(key) : key)) : keys
}

/** The newest that everyone has had the time to read; the first of all has nobody who has to know it beforehand. */
function signingKey(keys: readonly StoredKey[], now: number): StoredKey | undefined {
  const able = keys.filter(({ d }) => d !== undefined)
  return able.find(({ createdAt }) => createdAt <= now - dayMs) ?? able.at(-1)
}

function withoutPrivate({ kid, x, createdAt }: StoredKey): StoredKey {
  return { kid, x, createdAt }
}

function newKey(createdAt: number): StoredKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  // As RFC 7638 has it: the members that make the key, in order.
  return { kid: digest({ crv: 'Ed25519', kty: 'OKP', x }), x, d, createdAt }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
