import { dropOldest } from '@beckon/core'
import { type Fields, fields } from '../fields.js'

/** A server that never ends its list. */
const maxTools = 10_000

/** Tools whose output a list described that clients were given, by the name that they know them by. */
export class PromisedOutputs {
  readonly #tools = new Set<string>()

  /** A list of tools passed. */
  listed({ tools }: Fields): void {
    for (const { name, outputSchema } of Array.isArray(tools) ? tools.map(fields) : []) {
      if (outputSchema === undefined) this.#tools.delete(String(name))
      else this.#tools.add(String(name))
    }
    dropOldest(this.#tools, maxTools)
  }

  has(tool: string): boolean {
    return this.#tools.has(tool)
  }
}
