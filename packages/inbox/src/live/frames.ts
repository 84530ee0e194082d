/** A page that nobody sees has no frames: then it is told after this long. */
const slowestMs = 200

/** Tells of changes, at most once a frame. */
export class Frames {
  readonly #tell: () => void
  #stopWaiting: (() => void) | undefined

  constructor(tell: () => void) {
    this.#tell = tell
  }

  /** Something changed. */
  request(): void {
    if (this.#stopWaiting !== undefined) return
    const now = (): void => {
      this.#stopWaiting?.()
      this.#tell()
    }
    const frame = requestAnimationFrame(now)
    const timer = setTimeout(now, slowestMs)
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
