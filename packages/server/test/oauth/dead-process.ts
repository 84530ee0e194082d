// What happens to the tokens of a person when a process dies while it refreshes them.
import { expect } from 'vitest'
import { createServer } from '../../src/index.js'
import type { Store } from '../../src/store/index.js'
import { createTestClient } from '../../src/test/index.js'
import { mortalStore } from '../../src/test/mortal-store.js'
import type { FakeClock } from '../fake-clock.js'
import { connect, serve, textOf } from '../flows/opened.js'
import { granted, type LittleIssuer, littleIssuer, refused } from './little-issuer.js'
import { asAlice, processOptions, withToken } from './processes.js'

const leaseMs = 60_000
const lookAgainMs = 30_000

/**
 * Alice has signed in, and her token has expired. One process dies while it refreshes it; the others wait for the lease,
 * and no longer. `hasRotated`: the authorization server had answered the dead one.
 */
export async function dieWhileRefreshing(open: () => Store, clock: FakeClock, hasRotated: boolean): Promise<void> {
  const idp = await littleIssuer()
  const mortal = mortalStore(open())
  // Never closed: of a process that is dead, nothing ever comes.
  const dead = createServer(processOptions(mortal, clock))
  withToken(dead, idp)
  const dying = createTestClient(dead, asAlice(dead))
  const others = [1, 2].map(() => {
    const server = serve(processOptions(open(), clock))
    withToken(server, idp)
    return connect(server, asAlice(server))
  })
  idp.reply = () => granted('first', { refresh_token: 'refresh-one', expires_in: 3600 })
  expect(textOf(await dying.callTool('token'))).toBe('first')

  clock.advance(3600_000)
  idp.reply = () => {
    mortal.die()
    return granted('nobody gets this', { refresh_token: 'refresh-two', expires_in: 3600 })
  }
  dying.callTool('token').catch(() => {})
  await until(() => refreshesAt(idp).length === 1)
  const leaseEnds = clock.now() + leaseMs

  idp.reply = request => {
    if (request.get('grant_type') !== 'refresh_token') return granted('signed in anew', { expires_in: 3600 })
    return hasRotated
      ? refused('invalid_grant')
      : granted('second', { refresh_token: 'refresh-three', expires_in: 3600 })
  }
  clock.advance(leaseMs / 3)
  const calls = others.map(each => each.callTool('token'))
  // They look again from time to time, since nobody tells them anything.
  await until(() => clock.isSetFor(clock.now() + lookAgainMs))
  clock.advance(leaseEnds - clock.now() - 1)
  expect(refreshesAt(idp)).toEqual(['refresh-one'])
  clock.advance(1)
  const tokens = (await Promise.all(calls)).map(textOf)
  expect(tokens).toEqual(hasRotated ? ['signed in anew', 'signed in anew'] : ['second', 'second'])
  // One of them took the place of the dead one.
  expect(refreshesAt(idp)).toEqual(['refresh-one', 'refresh-one'])
}

function refreshesAt({ requests }: LittleIssuer): (string | null)[] {
  return requests.filter(sent => sent.get('grant_type') === 'refresh_token').map(sent => sent.get('refresh_token'))
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}
