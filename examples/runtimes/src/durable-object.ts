// A Cloudflare Worker in front of a Durable Object: one place for all requests of a person, with a store. Sessions of 2025,
// tasks and answers that count once need that.

import { DurableObject } from 'cloudflare:workers'
import { durableObjectStore } from '@beckon/sqlite/durable-object'
import { createTodos } from './todos.js'

interface Env {
  readonly BECKON_KEY: string
  readonly TODOS: { getByName(name: string): { fetch(request: Request): Promise<Response> } }
}

export class Todos extends DurableObject<Env> {
  readonly #server = createTodos({ keys: this.env.BECKON_KEY, store: durableObjectStore(this.ctx.storage) })

  fetch(request: Request): Promise<Response> {
    return this.#server.fetch(request)
  }
}

export default {
  fetch: (request: Request, env: Env): Promise<Response> => env.TODOS.getByName('everyone').fetch(request),
}
