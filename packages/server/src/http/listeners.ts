// Who listens for changes on 2026-07-28.
import type { Link } from '../protocol/link.js'
import type { Concerns, Notifier } from './served.js'

/** What someone wants to be told of. */
export interface Filter {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
}

type Send = (method: string, params: Record<string, unknown>) => void

interface Listener {
  readonly link: Link
  readonly filter: Filter
  readonly send: Send
}

export class Listeners {
  readonly #listeners = new Set<Listener>()

  /** Tells someone what they want to be told of, until the result is called. */
  listen(link: Link, filter: Filter, send: Send): () => void {
    const listener = { link, filter, send }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get notify(): Notifier {
    return {
      toolsChanged: concerns => this.#tellList('tools', concerns),
      promptsChanged: concerns => this.#tellList('prompts', concerns),
      resourcesChanged: concerns => this.#tellList('resources', concerns),
      resourceUpdated: uri => {
        for (const { filter, send } of this.#listeners)
          if (filter.resourceSubscriptions?.includes(uri)) send('notifications/resources/updated', { uri })
      },
    }
  }

  #tellList(list: 'tools' | 'prompts' | 'resources', concerns: Concerns = () => true): void {
    for (const { link, filter, send } of this.#listeners)
      if (filter[`${list}ListChanged`] && concerns(link)) send(`notifications/${list}/list_changed`, {})
  }
}
