// For which calls of a connection a person is being asked. What a server of 2025 pushes on stdio while several calls go
// on belongs to none that is known, and so perhaps to each of them.
import type { AskDesk } from 'beckon/desk/adapter'
import { aroundAsks } from './around-asks.js'

type Call = Readonly<Record<string, unknown>>

const unknown = 'unknown'

export class OpenAsks {
  readonly #counts = new Map<string, number>()

  /** A desk whose asks are counted here. */
  on(desk: AskDesk): AskDesk {
    return aroundAsks(desk, async ({ subject: { tool, input } }, ask) => {
      const answered = this.begin(tool, input)
      try {
        return await ask()
      } finally {
        answered()
      }
    })
  }

  /** A person has something to do for a call, until what this gives back is called. */
  begin(tool: string | undefined, input: unknown): () => void {
    const key = tool === undefined ? unknown : keyOf(tool, input)
    this.#count(key, 1)
    return () => this.#count(key, -1)
  }

  /** Whether a person is being asked for the call with these parameters. */
  has({ name, arguments: input = {} }: Call): boolean {
    return this.#counts.has(keyOf(name, input)) || this.#counts.has(unknown)
  }

  #count(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

function keyOf(tool: unknown, input: unknown): string {
  return JSON.stringify([tool, input])
}
