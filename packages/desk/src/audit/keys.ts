// The threat: someone who writes to the database. Manifests are signed with a key of the audit's own, which is kept in the store
// sealed, as everything is. Digests are keyed, too: a plain hash of a yes, an amount or a name is found by trying, and the audit
// promises not to have answers. Not defended: who has the keys of the store.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'

interface StoredKeys {
  /** PKCS #8 and SPKI, in base64. */
  readonly privateKey: string
  readonly publicKey: string
  readonly digestKey: string
  /** When this was last written: what is sealed goes with the key that sealed it. */
  readonly sealedAt: number
}

const resealMs = 30 * 24 * 60 * 60 * 1000

/** The keys of an audit. Nothing is read before they are used. */
export class AuditKeys {
  readonly #cell: Cell<StoredKeys>
  readonly #now: () => number
  #keys: StoredKeys | undefined

  constructor({ store, key, now }: { readonly store: Store; readonly key: string; readonly now: () => number }) {
    this.#cell = new Cell(store, key)
    this.#now = now
  }

  /** Reads them, or makes them when nobody has. */
  async load(): Promise<void> {
    const now = this.#now()
    if (this.#keys !== undefined && now - this.#keys.sealedAt < resealMs) return
    this.#keys = await this.#cell.update(known => {
      if (known !== undefined && now - known.sealedAt < resealMs) return { result: known }
      const value = { ...(known ?? newKeys()), sealedAt: now }
      return { value, result: value }
    })
  }

  /** In SPKI, base64. */
  get publicKey(): string {
    return this.#loaded.publicKey
  }

  /** Of anything that JSON has. The same value has the same digest on one desk, and another on any other. */
  digest(value: unknown): string {
    const key = Buffer.from(this.#loaded.digestKey, 'base64')
    return createHmac('sha256', key)
      .update(JSON.stringify(value) ?? '')
      .digest('base64url')
  }

  sign(text: string): string {
    const key = createPrivateKey({
      key: Buffer.from(this.#loaded.privateKey, 'base64'),
      format: 'der',
      type: 'pkcs8',
    })
    return sign(null, Buffer.from(text), key).toString('base64url')
  }

  get #loaded(): StoredKeys {
    if (this.#keys === undefined) throw new Error('The keys of the audit are not there yet.')
    return this.#keys
  }
}

/** Whether a text was signed with the private part of a key. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

function newKeys(): Omit<StoredKeys, 'sealedAt'> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    digestKey: randomBytes(32).toString('base64'),
  }
}
