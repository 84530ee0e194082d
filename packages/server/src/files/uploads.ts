// What was uploaded for a flow so far, in the store: any process takes an upload, and any may finish. Threats: more files than
// were asked for, and files that nobody waits for any more. A file has a place in the record before its first byte comes, and a
// name among what is unfinished, with a time by which it goes, until the person has sent everything.
import type { FileSchema } from '../author/file-schema.js'
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { Cell, OrderedSet } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { FilePlace } from './place.js'
import { type Received, UploadRefusedError } from './receive.js'

/** Uploads of a flow, by the name of their field; those without a digest are on their way. */
type Uploads = Readonly<Record<string, readonly (Received | Begun)[]>>

/**
 * What there is of a flow. Once it is over nothing comes to it any more: what was on its way is not kept. What had come stays, since
 * the one that ended it may have to do so again, after a store that was away.
 */
interface FlowFiles {
  readonly uploads: Uploads
  readonly isOver?: true
}

interface Begun {
  readonly id: string
  /** Milliseconds. */
  readonly begunAt: number
}

/** One that is on its way for longer was cut off. */
const maxUploadMs = 60 * 60 * 1000
/** So long after their flow files are kept that nobody sent. */
const graceMs = 60 * 60 * 1000
const sweptAtOnce = 100

export interface FlowUploadsOptions {
  readonly store: Store
  readonly place: FilePlace
  readonly flowId: string
  /** Until when the flow can go on. */
  readonly expiresAt: number
  readonly now: () => number
  /** What there is before anything comes. */
  readonly given?: Readonly<Record<string, readonly Received[]>>
}

export class FlowUploads {
  readonly #cell: Cell<FlowFiles>
  readonly #unfinished: OrderedSet
  readonly #options: FlowUploadsOptions
  readonly #none: FlowFiles

  constructor(options: FlowUploadsOptions) {
    this.#options = options
    this.#none = { uploads: options.given ?? {} }
    this.#unfinished = unfinishedIn(options.store)
    this.#cell = new Cell<FlowFiles>(options.store, `files/${digest(options.flowId)}`)
  }

  /** What there is of each field. */
  async received(): Promise<Readonly<Record<string, readonly Received[]>>> {
    const { uploads } = (await this.#cell.get()) ?? this.#none
    return Object.fromEntries(Object.entries(uploads).map(([name, all]) => [name, all.filter(isReceived)]))
  }

  /** Makes room for another file of a field. */
  async begin(field: string, { maxFiles, isMany }: FileSchema): Promise<string> {
    const { now, expiresAt } = this.#options
    const id = randomId()
    await this.#unfinished.put(id, expiresAt + graceMs)
    const room = await this.#cell.update(({ uploads, isOver } = this.#none) => {
      const all = (uploads[field] ?? []).filter(one => isReceived(one) || one.begunAt > now() - maxUploadMs)
      // One file is replaced by another: both are there for a moment.
      const isFull = isMany ? all.length >= maxFiles : all.some(one => !isReceived(one))
      if (isOver) return { result: 'over' as const }
      if (isFull) return { result: 'full' as const }
      const begun: Begun = { id, begunAt: now() }
      return { value: { uploads: { ...uploads, [field]: [...all, begun] } }, ...this.#expiry, result: 'taken' as const }
    })
    if (room === 'taken') return id
    await this.#unfinished.remove(id)
    if (room === 'over') throw new UploadRefusedError(409, 'This was sent already.')
    throw new UploadRefusedError(409, isMany ? `At most ${maxFiles} files are taken.` : 'Another file is on its way.')
  }

  /** A file is there. Where one is wanted, it replaces the one before. One that nobody waits for any more goes. */
  async finish(field: string, file: Received, { isMany }: FileSchema): Promise<void> {
    const replaced = await this.#cell.update(({ uploads, isOver } = this.#none) => {
      const all = uploads[field] ?? []
      if (isOver || !all.some(({ id }) => id === file.id)) return { result: undefined }
      const others = isMany ? all.filter(one => one.id !== file.id) : []
      const gone = isMany ? [] : all.filter(one => isReceived(one) && one.id !== file.id)
      return { value: { uploads: { ...uploads, [field]: [...others, file] } }, ...this.#expiry, result: gone }
    })
    for (const { id } of replaced ?? [file]) await this.#drop(id)
    if (replaced === undefined) throw new UploadRefusedError(409, 'This came too late.')
  }

  /** Takes one back, or one that failed. */
  async remove(field: string, id: string): Promise<void> {
    const wasThere = await this.#cell.update(({ uploads, isOver } = this.#none) => {
      const all = uploads[field] ?? []
      const others = all.filter(one => one.id !== id)
      if (isOver || others.length === all.length) return { result: false }
      return { value: { uploads: { ...uploads, [field]: others } }, ...this.#expiry, result: true }
    })
    if (wasThere) await this.#drop(id)
  }

  /** They are the handler's from now on. */
  async keep(ids: readonly string[]): Promise<void> {
    await this.#end()
    for (const id of ids) await this.#unfinished.remove(id)
  }

  /** Nobody waits for them any more. */
  async removeAll(): Promise<void> {
    for (const { id } of await this.#end()) await this.#drop(id)
  }

  /** Nothing is taken from here on. Gives what had come. */
  #end(): Promise<readonly Received[]> {
    return this.#cell.update(({ uploads } = this.#none) => {
      const received = Object.entries(uploads).map(([field, all]) => [field, all.filter(isReceived)] as const)
      const result = received.flatMap(([, all]) => all)
      return { value: { uploads: Object.fromEntries(received), isOver: true }, ...this.#expiry, result }
    })
  }

  get #expiry(): { expiresAt: number } {
    return { expiresAt: this.#options.expiresAt + 2 * graceMs }
  }

  async #drop(id: string): Promise<void> {
    await this.#options.place.delete(id)
    await this.#unfinished.remove(id)
  }
}

/** Removes what was uploaded and never sent, of this process and of those that died. True when nothing is left to wait for. */
export async function sweep({
  store,
  place,
  now,
}: Pick<FlowUploadsOptions, 'store' | 'place' | 'now'>): Promise<boolean> {
  const unfinished = unfinishedIn(store)
  const due = await unfinished.range({ to: now(), limit: sweptAtOnce })
  for (const { member } of due) {
    await place.delete(member)
    await unfinished.remove(member)
  }
  return (await unfinished.count({ upTo: 1 })) === 0
}

/** Files that nobody has sent yet, by when they go. */
function unfinishedIn(store: Store): OrderedSet {
  return new OrderedSet(store, 'files/unfinished')
}

function isReceived(one: Received | Begun): one is Received {
  return 'digest' in one
}
