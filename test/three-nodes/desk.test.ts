// Three desks on one store: people on any of them see the same.
import type { Question } from '@beckon/core'
import { systemClock } from 'beckon'
import type { TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../packages/desk/test/live-client.js'
import { type Served, serveLive, startTurn, text } from '../../packages/desk/test/live-served.js'
import { type Place, sharedStores } from './shared-stores.js'

/** The store goes by its own clock, so these desks go by the same. */
const clock: TestClock = { ...systemClock, advance: async () => {} }
const people = ['ana', 'ben', 'cem'] as const
const questions: Question[] = [{ id: 'name', kind: 'text', message: 'Name?', required: true }]

describe.each(sharedStores)('three desks on one $name', ({ isHere, create }) => {
  describe.skipIf(!isHere)('with people', { timeout: 60_000 }, () => {
    let place: Place
    let desks: Served[]
    let clients: LiveClient[]

    beforeEach(async () => {
      place = await create()
      desks = []
      for (const _ of people) desks.push(await serveLive({ store: place.open(), clock }))
      const [first] = desks
      if (first === undefined) throw new Error('there is no desk')
      await first.session('s', { title: 'Session', server: 'shop' })
      await startTurn(first)
      clients = await Promise.all(people.map((as, index) => desk(index).connect('1.0', { as })))
      // A desk that has not heard of the session yet is asked again.
      for (const client of clients) await subscribed(client)
    })

    afterEach(async () => {
      for (const each of desks) await each.close()
      await place.remove()
    })

    const desk = (index: number) => desks[index] as Served
    const person = (index: number) => clients[index] as LiveClient
    const has = (client: LiveClient, requestId: string, type: string) =>
      client.envelopes.some(
        ({ action, rejectionReason }) =>
          action.type === type && isAbout(action, requestId) && rejectionReason === undefined,
      )

    it('take one of the answers that race on all of them, and show everyone the same', async () => {
      await desk(0).ask({ id: 'r', message: 'Order', questions })
      await Promise.all(clients.map(client => client.until(() => has(client, 'r', 'chat/inputRequested'))))
      for (const [index, client] of clients.entries())
        client.dispatch({
          type: 'inputCompleted',
          requestId: 'r',
          response: 'accept',
          answers: { name: text(`${people[index]}`, 'submitted') },
        })
      await Promise.all(
        clients.map(client =>
          client.until(
            () =>
              has(client, 'r', 'chat/inputCompleted') &&
              client.envelopes.some(({ origin }) => origin?.clientId === client.options.clientId),
          ),
        ),
      )
      const ends = clients.map(client =>
        client.envelopes.filter(
          ({ action, rejectionReason }) => action.type === 'chat/inputCompleted' && rejectionReason === undefined,
        ),
      )
      for (const end of ends) expect(end).toHaveLength(1)
      expect(new Set(ends.map(([end]) => JSON.stringify(end?.action))).size).toBe(1)
      expect(clients.flatMap(({ rejections }) => rejections)).toHaveLength(2)
    })

    it('show someone who moves from one to another all that they missed, once', async () => {
      const moving = person(0)
      const drafted = (value: string) => ({
        type: 'inputAnswerChanged',
        requestId: 'r',
        questionId: 'name',
        answer: text(value),
      })
      await desk(0).ask({ id: 'r', message: 'Order', questions })
      await Promise.all(clients.map(client => client.until(() => has(client, 'r', 'chat/inputRequested'))))
      moving.drop()
      expect(await person(1).reasonFor(drafted('one'))).toBeUndefined()
      expect(await person(2).reasonFor(drafted('two'))).toBeUndefined()
      await desk(1).ask({ id: 'r2', message: 'Another', questions })
      await person(2).until(() => has(person(2), 'r2', 'chat/inputRequested'))
      moving.options.url = moving.options.url.replace(desk(0).url, desk(2).url)
      const seen = moving.lastSeen
      const { type } = await moving.reconnect()
      // The node that it comes to has told it nothing yet; its numbers go on from those of the other.
      expect(type).toBe('snapshot')
      expect(moving.lastSeen).toBeGreaterThanOrEqual(seen)
      expect(JSON.stringify(moving.confirmed())).toContain('two')
      expect(JSON.stringify(moving.confirmed())).toContain('Another')
      expect(moving.outOfOrder).toEqual([])
      expect(await person(1).reasonFor(drafted('three'))).toBeUndefined()
      await moving.until(() => JSON.stringify(moving.confirmed()).includes('three'))
      expect(timeless(moving.confirmed())).toEqual(timeless(await moving.subscribe()))
    })
  })
})

function isAbout(action: Record<string, unknown>, requestId: string): boolean {
  return JSON.stringify(action).includes(`"${requestId}"`)
}

async function subscribed(client: LiveClient): Promise<void> {
  for (;;) {
    try {
      await client.subscribe()
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

/** A state without when it was changed, which each side has by its own clock. */
function timeless(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state), (key, value) => (key === 'modifiedAt' ? undefined : value))
}
