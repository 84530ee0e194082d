// Limits that count callers, and strangers who look like many.
import { rateLimit } from '../../src/middleware/rate-limit/rate-limit.js'
import type { Family } from './attack.js'
import { openSession, overHttp, told } from './over-http.js'

/** How many of 20 calls ran, each in a session of its own. */
async function ranInSessions(per: 'principal' | 'session'): Promise<number> {
  const scene = await overHttp(
    server => {
      server.tool('search', rateLimit({ max: 2, per }), {}, () => 'ran')
    },
    { identify: undefined },
  )
  let ran = 0
  for (let call = 0; call < 20; call++) {
    const session = await openSession(scene, 'nobody')
    const reply = await session.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } })
    if (told(reply) === '200, ran') ran++
  }
  if (ran > 2) throw new Error(`${ran} of 20 ran.`)
  return ran
}

export const limits: Family = {
  family: '`rateLimit`',
  attacks: [
    {
      attack: 'a stranger opens a new session for every call',
      run: async () => `20 calls with max: 2, ${await ranInSessions('principal')} ran`,
    },
    {
      attack: 'the same where sessions are what is counted (`per: "session"`)',
      run: async () => `20 calls with max: 2, ${await ranInSessions('session')} ran`,
    },
  ],
}
