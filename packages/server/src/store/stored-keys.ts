// Without keys of its own a server keeps them in the store, so that a restart and a second node need no configuration.
// There they are wrapped by `BECKON_KEY`, where it is set; where it is not, anyone who reads the whole store can read what it
// holds, as with any database.
//
// Where it is set, keys that are not wrapped do not count: anyone who can write to the store could put their own there.
//
// A key is in the ring for a day before anything is sealed with it, and the ring is read again every hour: so nobody
// meets a key that they do not know.
import { randomSecret } from '../crypto/random-bytes.js'
import { createSeal, type Seal } from '../crypto/seal.js'
import type { Clock } from '../runtime/clock.js'
import { Cell } from './handles/cell.js'
import type { KeyRing } from './key-ring.js'
import type { Store } from './store.js'

interface StoredKey {
  readonly secret: string
  readonly createdAt: number
}

/** As they are in the store: wrapped, or plain. */
type StoredRing = string | readonly StoredKey[]

/** What keys are wrapped by in the store. */
export interface Wrapping {
  readonly seal: Seal
  /** Takes keys from before there was a wrapping key, and wraps them. */
  readonly takesUnwrapped: boolean
}

const ringKey = 'keys'
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const rotateMs = 30 * dayMs
/** Two years of keys. What is kept for longer than that, and never written again, can no longer be read. */
const maxKeys = 24

/** A ring of keys in the store, made by the first process. Nothing is read before it is used. */
export class StoredKeys implements KeyRing {
  readonly #ring: Cell<StoredRing>
  readonly #clock: Clock
  readonly #wrapping: Wrapping | undefined
  readonly #seals = new Map<string, Seal>()
  #secrets: readonly string[] = []
  #loading: Promise<void> | undefined
  #stopTimer = () => {}

  constructor(store: Store, clock: Clock, wrapping: Wrapping | undefined) {
    this.#ring = new Cell(store, ringKey)
    this.#clock = clock
    this.#wrapping = wrapping
  }

  get opening(): Promise<void> | undefined {
    if (this.#secrets.length > 0) return undefined
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  seal(purpose: string): Seal {
    return {
      seal: value => this.#sealFor(purpose).seal(value),
      open: sealed => this.#sealFor(purpose).open(sealed),
    }
  }

  close(): void {
    this.#stopTimer()
  }

  /** Reads the ring, where there is one, and leaves everything as it is. @throws Error when it cannot be unwrapped; says what to do */
  async check(): Promise<void> {
    const ring = await this.#ring.get()
    if (ring !== undefined) this.#unwrap(ring)
  }

  /** Makes a key that seals from now on. A process that read the ring before does not know it: nobody else may use the store meanwhile. */
  async renew(): Promise<void> {
    // Old enough to seal at once.
    const made = { secret: randomSecret(32), createdAt: this.#clock.now() - dayMs }
    await this.#change(keys => [made, ...keys])
  }

  /** Drops every key but the one that seals. */
  dropOlder(): Promise<void> {
    const [current] = this.#secrets
    return this.#change(keys => keys.filter(({ secret }) => secret === current))
  }

  async #change(change: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<void> {
    await this.#ring.update(ring => ({
      value: this.#wrap(change(ring === undefined ? [] : this.#unwrap(ring).keys)),
      result: undefined,
    }))
    await this.#load()
  }

  #sealFor(purpose: string): Seal {
    const known = this.#seals.get(purpose)
    if (known !== undefined) return known
    const seal = createSeal(this.#secrets, purpose)
    this.#seals.set(purpose, seal)
    return seal
  }

  async #load(): Promise<void> {
    const now = this.#clock.now()
    const keys = await this.#readOrMake(now)
    // The first of them seals: the newest that everyone has had the time to read.
    const current = keys.findIndex(key => key.createdAt <= now - dayMs)
    const ordered = current > 0 ? [...keys.slice(current), ...keys.slice(0, current)] : keys
    this.#secrets = ordered.map(({ secret }) => secret)
    this.#seals.clear()
    this.#stopTimer()
    this.#stopTimer = this.#clock.after(hourMs, () => this.#reload())
  }

  #reload(): void {
    this.#load().catch(() => {
      this.#stopTimer = this.#clock.after(hourMs, () => this.#reload())
    })
  }

  #readOrMake(now: number): Promise<readonly StoredKey[]> {
    const made = { secret: randomSecret(32), createdAt: now }
    return this.#ring.update(ring => {
      const known = ring === undefined ? { keys: [], isWrapped: true } : this.#unwrap(ring)
      const [newest] = known.keys
      const isFresh = newest !== undefined && now - newest.createdAt < rotateMs
      // A ring from before there was a wrapping key is wrapped now.
      const isProtected = known.isWrapped || this.#wrapping === undefined
      if (isFresh && isProtected) return { result: known.keys }
      // The very first has nobody who has to know it beforehand.
      const keys = isFresh ? known.keys : [made, ...known.keys].slice(0, maxKeys)
      return { value: this.#wrap(keys), result: keys }
    })
  }

  #wrap(keys: readonly StoredKey[]): StoredRing {
    const plain = keys.map(({ secret, createdAt }) => ({ secret, createdAt }))
    return this.#wrapping === undefined ? plain : this.#wrapping.seal.seal(plain)
  }

  #unwrap(ring: StoredRing): { keys: readonly StoredKey[]; isWrapped: boolean } {
    if (typeof ring !== 'string') {
      if (this.#wrapping?.takesUnwrapped === false)
        throw new Error(
          'The keys in the store are not wrapped, although BECKON_KEY is set. If they are from before it was, set it to the ' +
            'key and "none", with a comma between, until a server has started. Else someone put them there.',
        )
      return { keys: ring, isWrapped: false }
    }
    if (this.#wrapping === undefined)
      throw new Error('The keys in the store are wrapped by BECKON_KEY. Set it to the key that they were wrapped with.')
    try {
      return { keys: this.#wrapping.seal.open(ring) as StoredKey[], isWrapped: true }
    } catch (cause) {
      throw new Error(
        'BECKON_KEY does not fit the keys in the store. Set it to the key that they were wrapped with; to change it, ' +
          'list the new one and the old one, with a comma between.',
        { cause },
      )
    }
  }
}
