// Where the asks of a run go, each over its own wire, and how they end. Once the call is durable, that is in its log first; but
// what the desk keeps goes to the handler at once, and the log follows.
import type { Ending, OpenAsk } from '../call/ask.js'
import type { Wires } from '../call/call-types.js'
import { counted } from '../call/counted.js'
import { isSameAsk } from '../call/journal.js'
import type { Decide } from '../log/call-log.js'
import type { CallEvent, CallResponse } from '../log/events.js'
import { isOpen } from '../log/reduce.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { answeredEvent, askedEvent } from './answers.js'
import type { Attempt } from './attempt.js'
import type { AskPresenter, AskSender, CallRequest, Program } from './call-request.js'
import type { RunnerParts } from './runner.js'

const none: readonly never[] = []

export class AskWires<T> implements Wires {
  readonly #parts: RunnerParts<T>
  readonly #run: Attempt<T>
  readonly #sender: AskSender | undefined
  readonly #presenterFor: Program<T>['presenter']
  #presenter: AskPresenter | undefined
  /** What the handler has from the desk, and the log does not yet. */
  #owed: readonly { readonly ask: string; readonly event: CallEvent }[] = none

  constructor(
    parts: RunnerParts<T>,
    run: Attempt<T>,
    { sender, presenter }: Pick<CallRequest<T>, 'sender' | 'presenter'>,
  ) {
    this.#parts = parts
    this.#run = run
    this.#sender = sender
    this.#presenterFor = presenter
  }

  get presenter(): AskPresenter | undefined {
    this.#presenter ??= this.#presenterFor?.(this.#run.id, this.#run.principal)
    return this.#presenter
  }

  begin(): void {
    this.#run.begin()
  }

  /** Has the log say what is open already, but for what is on its way to the desk. */
  logOpen(): void {
    for (const ask of this.#run.call.openAsks) if (ask.wire !== 'desk') void this.#writeOrDrop(this.#asked(ask))
  }

  /** Says what came of the call, where it had asks on the desk. */
  report(end: CallResponse | 'cancelled'): void {
    this.#presenter?.report(end)
  }

  open(ask: OpenAsk): void {
    this.#parts.runs.weigh(this.#run)
    if (ask.wire === 'push') this.#sender?.open(ask, this.#run.call, (...how) => this.#sent(ask, ...how))
    else if (ask.wire !== 'rounds') this.begin()
    if (!this.#run.isDurable) return
    // Nobody is asked for a call that nobody could find.
    Promise.all([this.#run.write(this.#asked(ask)), this.#run.begun]).then(
      () => {
        const known = this.#run.log.state.entries.find(entry => entry.kind === 'ask' && isSameAsk(entry, ask.mark))
        // Its answer came before the handler asked, or asked again.
        if (known?.kind === 'ask') this.settle(ask.id, known.reply)
        else if (ask.wire === 'desk') this.#show(ask)
      },
      error => this.#run.call.drop(error),
    )
  }

  #asked(ask: OpenAsk): Decide {
    const at = this.#parts.clock.now()
    return state => askedEvent(state, ask, at)
  }

  withdraw(ask: OpenAsk): void {
    if (ask.wire === 'push') this.#sender?.withdraw(ask)
    // Another run goes on with what is on the desk.
    else if (ask.wire === 'desk' && !this.#run.isReleased && !this.#run.isInterrupted(this.#run.call.failedFor))
      this.presenter?.withdraw(ask)
  }

  expire(ask: OpenAsk): void {
    if (this.#run.isDurable) this.#logAnswered(ask, { kind: 'expired' })
    else if (this.#run.call.settle(ask.id, { kind: 'expired' })) this.withdraw(ask)
  }

  /** The client answered an ask that it was sent, or could not show it. */
  #sent(ask: OpenAsk, given: Ending, receivedAt = Number.POSITIVE_INFINITY): void {
    const { clock, rules } = this.#parts
    // By the clock of the node that asked. What came by another was there before it was read, at the latest by as much as
    // their clocks may be apart.
    const brought = receivedAt + rules.clockSkewMs
    const now = brought < ask.askedAt ? clock.now() : Math.min(clock.now(), brought)
    const ending = given.kind === 'failed' ? given : counted(ask, given, { now, node: rules.node, clockSkewMs: 0 })
    if (!this.#run.isDurable) this.#run.call.settle(ask.id, ending)
    else if (ending.kind === 'failed') this.#fail(ask, ending)
    else this.#logAnswered(ask, ending)
    this.#parts.runs.weigh(this.#run)
  }

  #show(ask: OpenAsk): void {
    // Nobody is asked for a call that ended meanwhile.
    if (this.#run.call.isDropped) return
    this.presenter?.open(ask).then(
      ending => this.#shown(ask, ending),
      error => this.#shown(ask, { kind: 'failed', error }),
    )
  }

  /**
   * An ask on the desk has ended. The desk keeps its outcome, so the handler goes on at once, and the log follows; where nothing can
   * come before it there.
   */
  #shown(ask: OpenAsk, ending: Ending): void {
    if (this.#run.releasedFor === 'evicted') this.#parts.takeovers.runAgain(this.#run.name, 'evicted')
    if (this.#run.isReleased) return
    if (ending.kind === 'failed') {
      this.#fail(ask, ending)
      return
    }
    if (this.#run.log.isBusy || this.#run.call.openAsks.some(({ wire }) => wire !== 'desk')) {
      this.#logAnswered(ask, ending)
      return
    }
    if (!this.#run.call.settle(ask.id, ending, true)) return
    const event = answeredEvent(ask, ending, this.#parts.clock.now())
    this.#owed = this.#owed.concat({ ask: ask.id, event })
    this.#writeOwed(ask.id, event).catch(reason => this.#run.call.drop(reason))
  }

  /** What is still owed, written once more: an append of it may have failed. */
  async writeOwed(): Promise<void> {
    await Promise.all(this.#owed.map(({ ask, event }) => this.#writeOwed(ask, event)))
  }

  async #writeOwed(ask: string, event: CallEvent): Promise<void> {
    await this.#run.write(state => (isOpen(state, ask) ? event : undefined))
    this.#owed = this.#owed.filter(owed => owed.event !== event)
  }

  /** An ask that nobody can be shown. A store that is away is not the ask's fault. */
  #fail(ask: OpenAsk, ending: Extract<Ending, { kind: 'failed' }>): void {
    if (ending.error instanceof StoreUnavailableError) {
      this.#run.call.drop(ending.error)
      return
    }
    const at = this.#parts.clock.now()
    Promise.resolve(
      this.#run.write(state => (isOpen(state, ask.id) ? { kind: 'withdrawn', ask: ask.id, at } : undefined)),
    ).catch(() => {})
    this.#run.call.settle(ask.id, ending)
  }

  #logAnswered(ask: OpenAsk, answer: Exclude<Ending, { kind: 'failed' }>): void {
    const event = answeredEvent(ask, answer, this.#parts.clock.now())
    void this.#writeOrDrop(state => (isOpen(state, ask.id) ? event : undefined))
  }

  /** What a run does goes to the log: one that cannot write there ends. */
  async #writeOrDrop(decide: Decide): Promise<void> {
    try {
      await this.#run.write(decide)
    } catch (error) {
      this.#run.call.drop(error)
    }
  }

  /** The log says how an ask ended. */
  settle(id: string, ending: Ending): void {
    const open = this.#run.call.openAsks.find(ask => ask.id === id)
    if (open !== undefined && this.#run.call.settle(id, ending, true) && ending.kind === 'expired') this.withdraw(open)
  }
}
