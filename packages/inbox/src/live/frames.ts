/** A page that nobody sees has no frames: then it is told after this long. */
const maxDelayMs = 200

/** Tells of changes, at most once a frame. */
export class Frames {
  readonly #notify: () => void
  #stopWaiting: (() => void) | undefined

  constructor(notify: () => void) {
    this.#notify = notify
  }

  /** Something changed. */
  request(): void {
    if (this.#stopWaiting !== undefined) return
    const now = (): void => {
      this.#stopWaiting?.()
      this.#notify()
    }
    const frame = requestAnimationFrame(now)
    const timer = setTimeout(now, maxDelayMs)
    this.#stopWaiting = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      this.#stopWaiting = undefined
    }
  }

  close(): void {
    this.#stopWaiting?.()
  }
}
