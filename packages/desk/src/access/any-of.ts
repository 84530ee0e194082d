import type { Access, AccessRequest, AccessResponse } from './access.js'

/**
 * Several ways in: a person whom one of them knows is known.
 * @example
 * anyOf(oidcAccess({ ... }), bearerAccess({ tokens })) // people sign in, scripts have tokens
 */
export function anyOf(...accesses: readonly Access[]): Access {
  return {
    loopbackOnly: accesses.some(access => access.loopbackOnly === true),
    authenticate: request => first(accesses, access => access.authenticate(request)),
    handle: request => first(accesses, access => access.handle(request)),
    challenge: request => clearestChallenge(request, accesses),
    sessions: accesses.find(access => access.sessions !== undefined)?.sessions,
    close() {
      for (const access of accesses) access.close?.()
    },
  }
}

async function first<T>(
  accesses: readonly Access[],
  ask: (access: Access) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const access of accesses) {
    const answer = await ask(access)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** That someone has to wait, or else the way to sign in, or else what the first says. */
function clearestChallenge(request: AccessRequest, accesses: readonly Access[]): AccessResponse {
  const answers = accesses.flatMap(access => access.challenge?.(request) ?? [])
  return (
    answers.find(({ status }) => status === 429) ??
    answers.find(({ status }) => status === 303) ??
    answers[0] ?? { status: 401, headers: [], body: '' }
  )
}
