import { expect, it } from 'vitest'
import { memoryStore } from '../../../store/index.js'
import type { Session } from '../session.js'
import { SharedSession } from './shared-session.js'
import { StoredSessions } from './stored-sessions.js'

it('waits for its server no longer than it is there', async () => {
  const clock = { now: () => 0, after: () => () => {} }
  const nodes = { id: 'a', join: () => undefined, isAlive: async () => true }
  const sharing = { store: memoryStore(), clock, nodes }
  const limits = { maxSessions: { principal: 1, anonymous: 1 }, maxLength: { known: 1, anonymous: 1 }, idleMs: 1 }
  // A server that was closed before it answered.
  const session = { sessionId: 'id', link: { subscriptions: new Set() }, take() {} } as unknown as Session
  const context = { sharing, stored: new StoredSessions(sharing, limits), send: async () => {}, create: async () => {} }
  const shared = new SharedSession(session, context as never)
  const taken = shared.take({ principal: null, initialize: {}, subscriptions: ['note://a'] })
  shared.closed()
  await taken
  expect([...session.link.subscriptions]).toEqual(['note://a'])
})
