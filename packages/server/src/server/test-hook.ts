// Where `beckon/test` reaches into a server that an author made for production: replay and principal are a connection's
// own there, and the clock is set from outside. A symbol keeps this out of the server's type, and `Symbol.for` makes it
// the same one in every copy of the package. It gives no client anything: only code in this process can take hold of it.
import type { Transport } from '@modelcontextprotocol/server'
import type { ReplayMode } from '../call/incoming.js'
import type { Clock } from '../runtime/clock.js'
import type { StdioServing } from '../stdio/serve-stdio.js'

export const testHook: unique symbol = Symbol.for('beckon.test-hook')

interface TestConnection {
  readonly transport: Transport
  readonly principal: string | undefined
  readonly replay: ReplayMode
  /** Whether its answers count as a person's, however fast they come. */
  readonly isAttended: boolean
}

export interface TestHook {
  /** Serves one connection as `server.stdio` does. */
  connect(connection: TestConnection): StdioServing
  /** A page of the server, as it is for the person that a connection is for; undefined where there is none. */
  visit(request: Request, principal: string | undefined): Promise<Response | undefined>
  /** Has the server go by another clock, until the result is called. */
  useClock(clock: Clock): () => void
}

export function testHookOf(server: object): TestHook {
  const { [testHook]: hook } = server as { readonly [testHook]?: TestHook }
  if (hook === undefined) throw new TypeError('A test client takes a server from createServer().')
  return hook
}
