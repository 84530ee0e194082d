// Finds applications: a look whenever the folder changes, and every so often, since watching is best effort.
import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from 'beckon'
import { type FoundInstances, readInstances } from './read-instances.js'

export interface WatchOptions {
  readonly folder: string
  readonly clock: Clock
  readonly pollMs: number
  /** Told what each look found. */
  readonly onFound: (found: FoundInstances) => void
}

export class InstanceWatch {
  readonly #options: WatchOptions
  #watcher: FSWatcher | undefined
  #stopPoll: (() => void) | undefined
  #looking: Promise<FoundInstances> | undefined
  #isClosed = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#poll()
  }

  /** Looks now. Two who ask at once share a look only when it began after both asked. */
  async look(): Promise<FoundInstances> {
    await this.#looking
    this.#looking ??= this.#read()
    return this.#looking
  }

  close(): void {
    this.#isClosed = true
    this.#stopPoll?.()
    this.#watcher?.close()
  }

  async #read(): Promise<FoundInstances> {
    this.#watch()
    const found = await readInstances(this.#options.folder).finally(() => {
      this.#looking = undefined
    })
    if (!this.#isClosed) this.#options.onFound(found)
    return found
  }

  #poll(): void {
    this.look().catch(() => {})
    this.#stopPoll = this.#options.clock.after(this.#options.pollMs, () => this.#poll())
  }

  /** Watches the folder as soon as there is one. */
  #watch(): void {
    if (this.#watcher !== undefined || this.#isClosed) return
    try {
      this.#watcher = watch(this.#options.folder, { persistent: false }, () => {
        this.look().catch(() => {})
      })
      this.#watcher.on('error', () => this.#unwatch())
    } catch {
      // Not there yet: the next look tries again.
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }
}
