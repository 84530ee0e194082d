// A call that waits for someone elsewhere looks like one that hangs. So the person at the terminal is told what it waits for: where
// it can be answered as soon as the server says so, and else that the server is silent.
import { plainLine } from '../plain-text.js'

export interface WaitingNoticeOptions {
  readonly say: (line: string) => void
  /** Whether someone is being asked here: then it is not the server that is waited for. */
  readonly isAsking: () => boolean
}

const silentMs = 2_000

export class WaitingNotice {
  readonly #options: WaitingNoticeOptions
  readonly #said = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: WaitingNoticeOptions) {
    this.#options = options
    this.#timer = setTimeout(() => this.#silent(), silentMs)
  }

  /** What the server says of the call, in its result or before: that people are asked is said once, and each link. */
  heard(text: string): void {
    const link = deskLinkIn(text)
    const where = link === undefined ? '' : `: ${plainLine(link)}`
    if ((link === undefined && !text.startsWith('A person was asked on the desk')) || this.#said.has(where)) return
    this.stop()
    this.#said.add(where)
    this.#options.say(`Waiting for an answer on the desk${where}`)
  }

  /** Says no more that the server is silent. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #silent(): void {
    if (this.#options.isAsking()) this.#timer = setTimeout(() => this.#silent(), silentMs)
    else this.#options.say('Waiting for the server ...')
  }
}

/** Whether a result says that its call goes on, and waits for people. */
export function isOfWaiting(texts: readonly string[]): boolean {
  return texts.some(text => deskLinkIn(text) !== undefined)
}

/** Where a person can answer, as servers and proxies of ours say it to a model. The questions come before, and may say anything. */
function deskLinkIn(text: string): string | undefined {
  if (!text.startsWith('A person was asked')) return undefined
  return [...text.matchAll(/ can (?:do so|answer) at (https?:\/\/\S+)(?= \.|$)/g)].at(-1)?.[1]
}
