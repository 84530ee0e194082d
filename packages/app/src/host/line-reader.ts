import { maxFrameBytes } from '../protocol/channel.js'

/** Cuts a stream of bytes into lines. One that grows too long ends it: nothing more is read. */
export class LineReader {
  readonly #onLine: (line: string) => void
  readonly #onTooLong: () => void
  #parts: Buffer[] = []
  #length = 0
  #isOver = false

  constructor(onLine: (line: string) => void, onTooLong: () => void) {
    this.#onLine = onLine
    this.#onTooLong = onTooLong
  }

  read(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0 && !this.#isOver; end = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      const line = Buffer.concat(this.#parts).toString().trim()
      this.#parts = []
      this.#length = 0
      if (line !== '' && !this.#isOver) this.#onLine(line)
    }
    this.#keep(rest)
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#isOver || part.length === 0) return
    this.#parts.push(part)
    if (this.#length <= maxFrameBytes) return
    this.#isOver = true
    this.#parts = []
    this.#onTooLong()
  }
}
