// The place of one connection on a desk: a session, and a turn while a call or an ask of it goes on. A session has one
// turn at a time, so that calls which overlap share theirs, and it ends with the last of them.
import type { AskingDesk, AskingSession, AskingTurn, AskTerms, DeskOutcome, DeskRequest } from './asking-desk.js'

/** How a turn ends. */
export type TurnEnd = 'complete' | 'cancel' | Error

export interface PlaceOptions {
  readonly desk: AskingDesk
  readonly session: string
  readonly title: string
  /** The name of the server whose tools ask. */
  readonly server: string
}

export class Place {
  readonly #options: PlaceOptions
  #session: Promise<AskingSession> | undefined
  /** The turn that this place began last. Whatever is done about turns is done in order. */
  #turn: Promise<AskingTurn | undefined> = Promise.resolve(undefined)
  #users = 0
  #asks = 0
  readonly #watchers = new Set<() => void>()

  constructor(options: PlaceOptions) {
    this.#options = options
  }

  get server(): string {
    return this.#options.server
  }

  /** Whether a person is being asked something. */
  get isAsking(): boolean {
    return this.#asks > 0
  }

  /** Tells when asking begins and ends. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Keeps the turn that the first ask begins, until what is returned is called. */
  hold(): (end: TurnEnd) => Promise<void> {
    this.#users++
    return async end => {
      // What a call came to is not lost because its turn could not be ended.
      if (--this.#users === 0) await this.#endTurn(end).catch(() => {})
    }
  }

  /** Puts an ask, in a turn with some words about what it belongs to. */
  async ask(request: DeskRequest, about: string, terms: AskTerms & { signal: AbortSignal }): Promise<DeskOutcome> {
    if (terms.signal.aborted) return { action: 'cancel' }
    const release = this.hold()
    this.#count(1)
    try {
      return await (await this.#inTurn(about)).ask(request, terms)
    } finally {
      this.#count(-1)
      await release(terms.signal.aborted ? 'cancel' : 'complete')
    }
  }

  #count(change: 1 | -1): void {
    this.#asks += change
    for (const watcher of this.#watchers) watcher()
  }

  /** The turn that is going on, also one that a person began; else a new one. */
  #inTurn(about: string): Promise<AskingTurn> {
    const turn = this.#turn.then(async ours => {
      this.#session ??= this.#open()
      const session = await this.#session
      const active = session.activeTurn()
      if (active === undefined) return { ours: await session.startTurn(about) }
      return active.id === ours?.id ? { ours } : { ours: undefined, theirs: active }
    })
    this.#turn = turn.then(
      ({ ours }) => ours,
      () => undefined,
    )
    return turn.then(({ ours, theirs }) => {
      const joined = ours ?? theirs
      if (joined === undefined) throw new Error('The desk has no turn to ask in.')
      return joined
    })
  }

  async #open(): Promise<AskingSession> {
    const { desk, session: id, title, server } = this.#options
    try {
      const session = await desk.session(id, { title, server })
      // Left behind by a process that is gone: nobody waits for what was asked there.
      await session.activeTurn()?.cancel()
      return session
    } catch (error) {
      this.#session = undefined
      throw error
    }
  }

  #endTurn(end: TurnEnd): Promise<void> {
    const ended = this.#turn.then(async turn => {
      // An ask that came in the meantime goes on in it.
      if (turn === undefined || this.#users > 0) return turn
      await (end instanceof Error ? turn.fail(end) : turn[end]())
      return undefined
    })
    this.#turn = ended.catch(() => undefined)
    return ended.then(() => {})
  }
}
