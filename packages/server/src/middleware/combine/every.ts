import { handleWith, type Middleware, type MiddlewareHooks, scopesIn, type VarsOf } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import { flowsOf, withFlows } from '../../flows/index.js'
import { attempt, MemberRules } from './members.js'

/**
 * Several middleware as one, one around the other: a call passes when it passes each. A function of the call that returns
 * true or false counts as one.
 * @example
 * const staff = every(bearer({ token }), rateLimit({ max: 10 }))
 */
export function every<const Members extends readonly Middleware[]>(
  ...members: Members
): MiddlewareHooks<VarsOf<Members>> {
  const rules = new MemberRules(members)
  const combined: MiddlewareHooks = {
    name: 'every',
    scopes: scopesIn(members),
    onRegister: subject => rules.register(subject),
    listed: async (caller, subject) => !(await rules.verdicts(caller, subject)).includes(false),
    async onCall(ctx, next) {
      async function passFrom(index: number): Promise<unknown> {
        const member = members[index]
        if (member === undefined) return next()
        const outcome = await attempt(member, ctx, () => passFrom(index + 1))
        if (outcome.kind === 'threw') throw outcome.error
        return outcome.result === false ? refuse(ctx, 'Not authorized.') : outcome.result
      }
      return passFrom(0)
    },
    onHandle: (ctx, handle) => handleWith(members, ctx, handle),
  }
  return withFlows(combined, ...members.flatMap(flowsOf))
}
