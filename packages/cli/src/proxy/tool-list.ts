import { type Fields, fields } from '../fields.js'
import type { Upstream } from './upstream.js'

/** A server that never ends its list. */
const maxPages = 100

/** The tools of a server, as it lists them. */
export class ToolList {
  readonly #upstream: Upstream
  #tools: Promise<Map<string, Fields>> | undefined

  constructor(upstream: Upstream) {
    this.#upstream = upstream
    upstream.onNotification(({ method }) => {
      if (method === 'notifications/tools/list_changed') this.#tools = undefined
    })
  }

  async find(name: string): Promise<Fields | undefined> {
    this.#tools ??= this.#load()
    const tools = this.#tools
    try {
      return (await tools).get(name)
    } catch (error) {
      // The next caller tries again.
      if (this.#tools === tools) this.#tools = undefined
      throw error
    }
  }

  async #load(): Promise<Map<string, Fields>> {
    const tools = new Map<string, Fields>()
    const { signal } = new AbortController()
    let cursor: unknown
    for (let pages = 0; pages < maxPages; pages++) {
      const page = await this.#upstream.forward('tools/list', cursor === undefined ? {} : { cursor }, { signal })
      for (const tool of Array.isArray(page.tools) ? page.tools.map(fields) : []) tools.set(String(tool.name), tool)
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    return tools
  }
}
