// Several processes of one server, and Alice, who signs in wherever she is sent.
import type { BeckonServer, ServerOptions } from '../../src/index.js'
import { type OAuth, oauth } from '../../src/middleware/oauth/index.js'
import type { Store } from '../../src/store/index.js'
import type { TestClientOptions } from '../../src/test/index.js'
import type { FakeClock } from '../fake-clock.js'
import { identify } from '../flows/opened.js'
import { leadsTo, Visitor } from '../flows/visitor.js'
import type { LittleIssuer } from './little-issuer.js'

const publicUrl = 'https://shop.example'

export function processOptions(store: Store, clock: FakeClock): ServerOptions {
  const keys = 'a key that all of the processes have'
  return { name: 'shop', version: '1.0.0', publicUrl, identify, store, clock, keys }
}

/** Adds a tool that says which token it has. */
export function withToken(server: BeckonServer, { issuer }: LittleIssuer): OAuth {
  const hub = oauth({ issuer, clientId: 'mcp', scopes: ['notes'] })
  server.tool('token', hub, {}, async (_input, ctx) => (await hub.token(ctx)).accessToken)
  return hub
}

export function asAlice(server: BeckonServer): TestClientOptions {
  const alice = new Visitor(server, { 'x-user': 'alice' })
  return {
    principal: 'alice',
    replay: 'when-needed',
    async answer(ask) {
      if (ask.kind !== 'url') return 'decline'
      const { origin, searchParams } = new URL(leadsTo((await alice.submit(ask.url)).text) ?? '')
      const query = new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '', iss: origin })
      await alice.get(`${publicUrl}/beckon/oauth/callback?${query}`)
      return 'accept'
    },
  }
}
