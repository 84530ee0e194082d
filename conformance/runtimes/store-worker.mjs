// Runs in workerd: the contract of stores, each case in a Durable Object of its own. `/` gives the titles, `/<number>` runs one.

import { DurableObject } from 'cloudflare:workers'
import { durableObjectStore } from '@beckon/sqlite/durable-object'
import { testStore } from 'beckon/store/adapter'

/** @param {() => import('beckon/store/adapter').StoreSetup} setup */
function casesOf(setup) {
  /** @type {{ title: string, run: (context: { skip(reason: string): void }) => Promise<void> }[]} */
  const cases = []
  testStore('Durable Object', setup, { test: (title, run) => cases.push({ title, run }) })
  return cases
}

/** @extends {DurableObject<object>} */
export class Subject extends DurableObject {
  /** @param {Request} request */
  async fetch(request) {
    let time = 1_000_000
    const clock = {
      now: () => time,
      advance(/** @type {number} */ ms) {
        time += ms
      },
    }
    const open = () => durableObjectStore(this.ctx.storage, { clock })
    const cases = casesOf(() => ({ store: open(), second: open(), clock, teardown() {} }))
    let outcome = 'passed'
    try {
      await cases[Number(new URL(request.url).pathname.slice(1))]?.run({
        skip(reason) {
          outcome = `skipped: ${reason}`
        },
      })
    } catch (error) {
      outcome = `failed: ${error instanceof Error ? error.stack : error}`
    }
    return new Response(outcome)
  }
}

export default {
  /**
   * @param {Request} request
   * @param {{ SUBJECT: { getByName(name: string): { fetch(request: Request): Promise<Response> } } }} env
   */
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    if (pathname !== '/') return env.SUBJECT.getByName(pathname).fetch(request)
    const titles = casesOf(() => {
      throw new Error('Only their titles are wanted.')
    }).map(({ title }) => title)
    return Response.json(titles)
  },
}
