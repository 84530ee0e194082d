// Who listens for changes on 2026-07-28. The SDK hands out events without saying for whom a stream was opened, so that is
// remembered here, by the asynchronous context in which the stream's request is served.

import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { asyncContext } from '#platform'
import type { Concerns, Link, Notifier } from './served.js'

type Listener = (event: ServerEvent) => void

/** One for all: Node 20 keeps each, and hands all of them to every promise that is made. */
const serving = asyncContext<ReadonlyMap<Listeners, Link>>()

export class Listeners implements ServerEventBus {
  readonly #listeners = new Map<Listener, Link | undefined>()

  /** Serves a request: the stream that it opens is this connection's. */
  serve<T>(link: Link, serve: () => T): T {
    return serving.run(new Map(serving.getStore()).set(this, link), serve)
  }

  publish(event: ServerEvent): void {
    this.#tell(event)
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.set(listener, serving.getStore()?.get(this))
    return () => this.#listeners.delete(listener)
  }

  /** Tells a stream of ours what it asks for, as the SDK tells those of its own, until the result is called. */
  listen(
    link: Link,
    filter: Readonly<Record<string, unknown>>,
    send: (method: string, params: Record<string, unknown>) => void,
  ): () => void {
    const uris = Array.isArray(filter.resourceSubscriptions) ? filter.resourceSubscriptions : []
    const listener: Listener = event => {
      if (event.kind === 'tools_list_changed' && filter.toolsListChanged === true)
        send('notifications/tools/list_changed', {})
      else if (event.kind === 'prompts_list_changed' && filter.promptsListChanged === true)
        send('notifications/prompts/list_changed', {})
      else if (event.kind === 'resources_list_changed' && filter.resourcesListChanged === true)
        send('notifications/resources/list_changed', {})
      else if (event.kind === 'resource_updated' && uris.includes(event.uri))
        send('notifications/resources/updated', { uri: event.uri })
    }
    this.#listeners.set(listener, link)
    return () => this.#listeners.delete(listener)
  }

  get notify(): Notifier {
    return {
      toolsChanged: concerns => this.#tell({ kind: 'tools_list_changed' }, concerns),
      promptsChanged: concerns => this.#tell({ kind: 'prompts_list_changed' }, concerns),
      resourcesChanged: concerns => this.#tell({ kind: 'resources_list_changed' }, concerns),
      resourceUpdated: uri => this.#tell({ kind: 'resource_updated', uri }),
    }
  }

  #tell(event: ServerEvent, concerns: Concerns = () => true): void {
    for (const [listener, link] of this.#listeners) {
      if (link === undefined || concerns(link)) listener(event)
    }
  }
}
