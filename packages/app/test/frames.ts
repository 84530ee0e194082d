/** What an app sends, one frame after the other, for whoever plays its gateway. */
export class Frames {
  readonly #frames: string[] = []
  readonly #readers: ((frame: string | undefined) => void)[] = []
  #isOver = false

  push(frame: string): void {
    const reader = this.#readers.shift()
    if (reader === undefined) this.#frames.push(frame)
    else reader(frame)
  }

  end(): void {
    this.#isOver = true
    for (const reader of this.#readers.splice(0)) reader(undefined)
  }

  /** The next frame; undefined when the app closed. */
  next(): Promise<string | undefined> {
    const frame = this.#frames.shift()
    if (frame !== undefined || this.#isOver) return Promise.resolve(frame)
    return new Promise(resolve => this.#readers.push(resolve))
  }
}
