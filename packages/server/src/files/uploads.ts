// What was uploaded for a flow so far, in the store: any process takes an upload, and any may finish. Threats: more files than
// were asked for, and files that nobody waits for any more. A file has a place in the record before its first byte comes, and a
// name among what is unfinished, with a time by which it goes, until the person has sent everything.
import type { FileSchema } from '../author/file-schema.js'
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { FilePlace } from './place.js'
import { type Received, UploadRefusedError } from './receive.js'

/** Uploads of a flow, by the name of their field; those without a digest are on their way. */
type Uploads = Readonly<Record<string, readonly (Received | Begun)[]>>

interface Begun {
  readonly id: string
  /** Milliseconds. */
  readonly begunAt: number
}

/** One that is on its way for longer was cut off. */
const maxUploadMs = 60 * 60 * 1000
/** So long after their flow files are kept that nobody sent. */
const graceMs = 60 * 60 * 1000
const unfinished = 'files/unfinished'
const sweptAtOnce = 100

export interface FlowUploadsOptions {
  readonly store: Store
  readonly place: FilePlace
  readonly flowId: string
  /** Until when the flow can go on. */
  readonly expiresAt: number
  readonly now: () => number
}

export class FlowUploads {
  readonly #cell: Cell<Uploads>
  readonly #options: FlowUploadsOptions

  constructor(options: FlowUploadsOptions) {
    this.#options = options
    this.#cell = new Cell<Uploads>(options.store, `files/${digest(options.flowId)}`)
  }

  /** What there is of each field. */
  async received(): Promise<Readonly<Record<string, readonly Received[]>>> {
    const uploads = (await this.#cell.get()) ?? {}
    return Object.fromEntries(Object.entries(uploads).map(([name, all]) => [name, all.filter(isReceived)]))
  }

  /** Makes room for another file of a field. */
  async begin(field: string, { maxFiles, isMany }: FileSchema): Promise<string> {
    const { store, now, expiresAt } = this.#options
    const id = randomId()
    await store.put(unfinished, id, expiresAt + graceMs)
    const isTaken = await this.#cell.update(known => {
      const all = (known?.[field] ?? []).filter(one => isReceived(one) || one.begunAt > now() - maxUploadMs)
      // One file is replaced by another: both are there for a moment.
      const isFull = isMany ? all.length >= maxFiles : all.some(one => !isReceived(one))
      if (isFull) return { result: false }
      const begun: Begun = { id, begunAt: now() }
      return { value: { ...known, [field]: [...all, begun] }, ...this.#expiry, result: true }
    })
    if (isTaken) return id
    await store.remove(unfinished, id)
    throw new UploadRefusedError(409, isMany ? `At most ${maxFiles} files are taken.` : 'Another file is on its way.')
  }

  /** A file is there. Where one is wanted, it replaces the one before. */
  async finish(field: string, file: Received, { isMany }: FileSchema): Promise<void> {
    const replaced = await this.#cell.update(known => {
      const all = known?.[field] ?? []
      const others = isMany ? all.filter(one => one.id !== file.id) : []
      const gone = isMany ? [] : all.filter(one => isReceived(one) && one.id !== file.id)
      return { value: { ...known, [field]: [...others, file] }, ...this.#expiry, result: gone }
    })
    for (const { id } of replaced) await this.#drop(id)
  }

  /** Takes one back, or one that failed. */
  async remove(field: string, id: string): Promise<void> {
    const wasThere = await this.#cell.update(known => {
      const all = known?.[field] ?? []
      const others = all.filter(one => one.id !== id)
      const value = { ...known, [field]: others }
      return { value, ...this.#expiry, result: others.length < all.length }
    })
    if (wasThere) await this.#drop(id)
  }

  /** They are the handler's from now on. */
  async keep(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#options.store.remove(unfinished, id)
  }

  /** Nobody waits for them any more. */
  async removeAll(): Promise<void> {
    const uploads = (await this.#cell.get()) ?? {}
    for (const { id } of Object.values(uploads).flat()) await this.#drop(id)
    await this.#cell.delete()
  }

  get #expiry(): { expiresAt: number } {
    return { expiresAt: this.#options.expiresAt + 2 * graceMs }
  }

  async #drop(id: string): Promise<void> {
    await this.#options.place.delete(id)
    await this.#options.store.remove(unfinished, id)
  }
}

/** Removes what was uploaded and never sent, of this process and of those that died. True when nothing is left to wait for. */
export async function sweep({
  store,
  place,
  now,
}: Pick<FlowUploadsOptions, 'store' | 'place' | 'now'>): Promise<boolean> {
  const due = await store.range(unfinished, { to: now(), limit: sweptAtOnce })
  for (const { member } of due) {
    await place.delete(member)
    await store.remove(unfinished, member)
  }
  return (await store.count(unfinished, { upTo: 1 })) === 0
}

function isReceived(one: Received | Begun): one is Received {
  return 'digest' in one
}
