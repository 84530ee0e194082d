import { isRequestBound } from '#platform'

type Timer = ReturnType<typeof setInterval>

/**
 * Runs one task for every member, every `everyMs`. One timer for all of them; none while there are no members. Where a timer ends
 * with the request that set it, each member has its own.
 */
export class SharedInterval<Member> {
  readonly #members = new Set<Member>()
  readonly #ownTimers = new Map<Member, Timer>()
  readonly #everyMs: number
  readonly #run: (member: Member) => void
  #timer: Timer | undefined

  constructor(everyMs: number, run: (member: Member) => void) {
    this.#everyMs = everyMs
    this.#run = run
  }

  add(member: Member): void {
    if (isRequestBound) {
      if (!this.#ownTimers.has(member))
        this.#ownTimers.set(
          member,
          this.#start(() => this.#run(member)),
        )
      return
    }
    this.#members.add(member)
    this.#timer ??= this.#start(() => this.#runAll())
  }

  delete(member: Member): void {
    this.#members.delete(member)
    clearInterval(this.#ownTimers.get(member))
    this.#ownTimers.delete(member)
  }

  stop(): void {
    for (const timer of this.#ownTimers.values()) clearInterval(timer)
    this.#ownTimers.clear()
    this.#members.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #start(work: () => void): Timer {
    const timer = setInterval(work, this.#everyMs)
    // Not every runtime has timers that can be let go of.
    timer.unref?.()
    return timer
  }

  #runAll(): void {
    for (const member of this.#members) this.#run(member)
    if (this.#members.size === 0) this.stop()
  }
}
