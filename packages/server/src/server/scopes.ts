import { AnonymousValues, anonymousId } from '../author/anonymous.js'
import type { Scopes } from '../author/call-context.js'
import type { ServerDeps } from '../author/call-internals.js'
import { openSession, openValues, type PendingWrites } from '../author/session.js'
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'

/** Where every process hears that someone's authorizations changed. The message is a digest of their session's id. */
const topic = 'authorizations'

/** The values of a server, in parts that do not meet. */
export function scopesOf(deps: ServerDeps, writes: PendingWrites, maxAnonymous: number): Scopes {
  const { store, clock } = deps
  const people = deps.people.store
  const anonymous = new AnonymousValues(people, clock, maxAnonymous)
  // A hint: a client that is not told finds out with its next list.
  const tell = (id: string) => people.publish(topic, digest(id)).catch(() => {})
  const session: Scopes['session'] = id => openSession(anonymous.storeFor(id), id, writes, tell)
  return {
    session,
    sessionIdOf: call => scopeId(call) ?? anonymousId('call', call.id),
    callerOf(connection) {
      const sessionId = scopeId(connection)
      return { principal: connection.principal, sessionId, session: session(sessionId ?? randomId()) }
    },
    async onAuthorization(listener) {
      await people.subscribe(topic, changed =>
        listener(connection => {
          const id = scopeId(connection)
          return id !== undefined && digest(id) === changed
        }),
      )
    },
    store: openValues(store, 'server', writes),
    deps,
  }
}

/** The scope of the person behind a connection, where they are known from one request to the next. */
function scopeId({ principal, sessionId }: Parameters<Scopes['callerOf']>[0]): string | undefined {
  if (principal !== undefined) return digest(['principal', principal])
  return sessionId === undefined ? undefined : anonymousId('connection', sessionId)
}
