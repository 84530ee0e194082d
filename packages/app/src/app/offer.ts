import type { Clock } from '@beckon/core'
import { systemClock } from '../system-clock.js'
import { type Action, type ActionBuilder, type Definition, draftAction } from './action.js'
import { type AppIdentity, checkIdentity } from './identity.js'
import { draftResource, type Resource, type ResourceDefinition } from './resource.js'

/** Which list of an app changed. */
export type Change = 'actions' | 'resources'

/** What an app is made with. */
export interface AppOptions extends AppIdentity {
  /** For tests. */
  readonly clock?: Clock
}

/** All that an app offers, and who is told when that changes. */
export class Offer {
  readonly identity: AppIdentity
  readonly clock: Clock
  readonly actions: Map<string, Definition> = new Map()
  readonly resources: Map<string, ResourceDefinition> = new Map()
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #changes = new Set<Change>()

  constructor({ clock = systemClock, ...identity }: AppOptions) {
    checkIdentity(identity)
    this.identity = identity
    this.clock = clock
  }

  draftAction(name: string): ActionBuilder {
    return draftAction(name, definition => this.#offerAction(definition))
  }

  draftResource(name: string): Resource {
    let offered: ResourceDefinition | undefined
    return draftResource(name, definition => {
      if (definition !== undefined) this.resources.set(name, definition)
      else if (offered !== undefined && this.resources.get(name) === offered) this.resources.delete(name)
      else return
      offered = definition
      this.#changed('resources')
    })
  }

  /** Calls back after what is offered has changed, once for whatever changed together. */
  watch(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #offerAction(definition: Definition): Action {
    const { name } = definition.announced
    this.actions.set(name, definition)
    this.#changed('actions')
    return {
      name,
      remove: () => {
        if (this.actions.get(name) !== definition) return
        this.actions.delete(name)
        this.#changed('actions')
      },
    }
  }

  #changed(change: Change): void {
    if (this.#listeners.size === 0 || this.#changes.has(change)) return
    this.#changes.add(change)
    queueMicrotask(() => {
      this.#changes.delete(change)
      for (const listener of this.#listeners) listener(change)
    })
  }
}
