/** Runs one task for every member, every `everyMs`. One timer for all of them; none while there are no members. */
export class SharedInterval<Member> {
  readonly #members = new Set<Member>()
  readonly #everyMs: number
  readonly #run: (member: Member) => void
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(everyMs: number, run: (member: Member) => void) {
    this.#everyMs = everyMs
    this.#run = run
  }

  add(member: Member): void {
    this.#members.add(member)
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#runAll(), this.#everyMs)
    // Not every runtime has timers that can be let go of.
    this.#timer.unref?.()
  }

  delete(member: Member): void {
    this.#members.delete(member)
  }

  stop(): void {
    this.#members.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #runAll(): void {
    for (const member of this.#members) this.#run(member)
    if (this.#members.size === 0) this.stop()
  }
}
