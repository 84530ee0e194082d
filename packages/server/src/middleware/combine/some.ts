import type { Context } from '../../author/context.js'
import { handleWith, type Middleware, type MiddlewareHooks, type VarsOf } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import { flowsOf, withFlows } from '../../flows/index.js'
import { type Attempt, attempt, MemberRules } from './members.js'

/**
 * Several middleware as alternatives: a call passes by the first that lets it, and is refused as by the last. A function of
 * the call that returns true or false counts as one.
 * @example
 * server.tool('stats', some(bearer({ token }), confirmed('Show the statistics?')), {}, stats)
 */
export function some<const Members extends readonly [Middleware, ...Middleware[]]>(
  ...members: Members
): MiddlewareHooks<Partial<VarsOf<Members>>> {
  const rules = new MemberRules(members)
  const passedBy = new WeakMap<Context, Middleware>()
  const combined: MiddlewareHooks = {
    name: 'some',
    onRegister: subject => rules.register(subject),
    listed: async (caller, subject) => (await rules.verdicts(caller, subject)).includes(true),
    async onCall(ctx, next) {
      let last: Attempt = { kind: 'refused', result: false }
      for (const member of members) {
        last = await attempt(member, ctx, () => {
          passedBy.set(ctx, member)
          return next()
        })
        if (last.kind === 'passed') return last.result
      }
      if (last.kind === 'threw') throw last.error
      return last.result === false ? refuse(ctx, 'Not authorized.') : last.result
    },
    onHandle(ctx, handle) {
      const member = passedBy.get(ctx)
      return member === undefined ? handle() : handleWith([member], ctx, handle)
    },
  }
  return withFlows(combined, ...members.flatMap(flowsOf))
}
