import { checkName } from './identity.js'

/** A resource as it is announced to a gateway. */
export interface AnnouncedResource {
  readonly name: string
  readonly description: string
  readonly subscribable: boolean
}

/** Starts telling of changes; the result stops it. */
export type Subscribe<Value> = (emit: (value: Value) => void) => () => void

/** A resource as the app keeps it. */
export interface ResourceDefinition {
  readonly announced: AnnouncedResource
  readonly read: (() => unknown) | undefined
  readonly subscribe: Subscribe<unknown> | undefined
}

/** A piece of the app's state that agents can read, and follow where it tells of changes. Each step offers what is known. */
export class Resource<Value = unknown> {
  readonly #definition: ResourceDefinition
  readonly #offer: (definition: ResourceDefinition | undefined) => void

  constructor(definition: ResourceDefinition, offer: (definition: ResourceDefinition | undefined) => void) {
    this.#definition = definition
    this.#offer = offer
  }

  get name(): string {
    return this.#definition.announced.name
  }

  /** What it shows, for the model that decides whether to read it. */
  describe(description: string): Resource<Value> {
    return this.#with({ announced: { ...this.#definition.announced, description } })
  }

  /** Gives the value whenever it is read. */
  read<V extends Value>(read: () => V | Promise<V>): Resource<V> {
    return this.#with({ read })
  }

  /** Tells of every change while someone follows. */
  subscribe(subscribe: Subscribe<Value>): Resource<Value> {
    return this.#with({ announced: { ...this.#definition.announced, subscribable: true }, subscribe })
  }

  /** Offers it no longer. */
  remove(): void {
    this.#offer(undefined)
  }

  #with<V>(changes: Partial<ResourceDefinition>): Resource<V> {
    const definition = { ...this.#definition, ...changes }
    if (definition.read !== undefined || definition.subscribe !== undefined) this.#offer(definition)
    return new Resource(definition, this.#offer)
  }
}

/** The first step of a resource. */
export function draftResource(name: string, offer: (definition: ResourceDefinition | undefined) => void): Resource {
  checkName('resource', name)
  const announced = { name, description: '', subscribable: false }
  return new Resource({ announced, read: undefined, subscribe: undefined }, offer)
}
