import { isRequestBound } from '#platform'

type Timer = ReturnType<typeof setInterval>

interface Entry<Member> {
  /** Undefined once it is out: see `HeldMap` for why a set has no members that come and go. */
  member: Member | undefined
  readonly ownTimer: Timer | undefined
}

/**
 * Runs one task for every member, every `everyMs`. One timer for all of them; none while there are no members. Where a timer ends
 * with the request that set it, each member has its own.
 */
export class SharedInterval<Member extends object> {
  readonly #places = new Set<Entry<Member>>()
  readonly #byMember = new WeakMap<Member, Entry<Member>>()
  readonly #everyMs: number
  readonly #run: (member: Member) => void
  #timer: Timer | undefined

  constructor(everyMs: number, run: (member: Member) => void) {
    this.#everyMs = everyMs
    this.#run = run
  }

  add(member: Member): void {
    if (this.#byMember.has(member)) return
    const place = { member, ownTimer: isRequestBound ? this.#start(() => this.#run(member)) : undefined }
    this.#byMember.set(member, place)
    this.#places.add(place)
    if (!isRequestBound) this.#timer ??= this.#start(() => this.#runAll())
  }

  delete(member: Member): void {
    const place = this.#byMember.get(member)
    if (place !== undefined) this.#remove(place, member)
  }

  stop(): void {
    for (const place of this.#places) if (place.member !== undefined) this.#remove(place, place.member)
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #remove(place: Entry<Member>, member: Member): void {
    place.member = undefined
    clearInterval(place.ownTimer)
    this.#byMember.delete(member)
    this.#places.delete(place)
  }

  #start(work: () => void): Timer {
    const timer = setInterval(work, this.#everyMs)
    // Not every runtime has timers that can be let go of.
    timer.unref?.()
    return timer
  }

  #runAll(): void {
    for (const { member } of this.#places) if (member !== undefined) this.#run(member)
    if (this.#places.size === 0) this.stop()
  }
}
