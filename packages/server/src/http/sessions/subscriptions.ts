import { RequestError } from '../../protocol/request-error.js'

/** What an entry takes beside its text. */
const entryBytes = 64

/** The resources that a client subscribed to, as many as its session may hold. */
export class Subscriptions extends Set<string> {
  readonly #hold: (bytes: number) => boolean

  /** @param hold Counts some more bytes, or fewer; false when there is no room for them. */
  constructor(hold: (bytes: number) => boolean) {
    super()
    this.#hold = hold
  }

  override add(uri: string): this {
    if (this.has(uri)) return this
    if (!this.#hold(weightOf(uri)))
      throw new RequestError(-32000, 'Too much of this session is in memory; unsubscribe first')
    return super.add(uri)
  }

  override delete(uri: string): boolean {
    if (!super.delete(uri)) return false
    this.#hold(-weightOf(uri))
    return true
  }
}

function weightOf(uri: string): number {
  return 2 * uri.length + entryBytes
}
