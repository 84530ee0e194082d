// What combined middleware have in common: each member keeps its part in listing, calling and handling.
import type { Caller, Listed } from '../../author/caller.js'
import type { Context } from '../../author/context.js'
import { callWith, type Middleware, type Next, type Registered } from '../../author/middleware.js'
import { listingRules } from '../listing-rules.js'

/** How a call fared at one member. */
export type Attempt =
  | { readonly kind: 'passed'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly result: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }

/**
 * Has a call try one member. It passes by `next()`, once, or by returning `true`, as a mere condition does. What is thrown after
 * it has passed is thrown.
 */
export async function attempt(member: Middleware, ctx: Context, next: Next): Promise<Attempt> {
  let hasPassed = false
  const pass = () => {
    if (hasPassed) throw new Error(`${member.name || 'A middleware'} called next() twice.`)
    hasPassed = true
    return next()
  }
  try {
    const result = await callWith(member, ctx, pass)
    if (hasPassed) return { kind: 'passed', result }
    return result === true ? { kind: 'passed', result: await pass() } : { kind: 'refused', result }
  } catch (error) {
    if (hasPassed) throw error
    return { kind: 'threw', error }
  }
}

/** The rules of each member about showing something. */
export class MemberRules {
  readonly #members: readonly Middleware[]
  readonly #rules = new Map<string, readonly (readonly Listed[])[]>()

  constructor(members: readonly Middleware[]) {
    this.#members = members
  }

  register(subject: Registered): void {
    this.#rules.set(
      keyOf(subject),
      this.#members.map(member => listingRules(member, subject)),
    )
  }

  /** For each member, whether it would show this. */
  async verdicts(caller: Caller, subject: Registered): Promise<boolean[]> {
    const rules = this.#rules.get(keyOf(subject)) ?? []
    return Promise.all(rules.map(own => holds(own, caller)))
  }
}

async function holds(rules: readonly Listed[], caller: Caller): Promise<boolean> {
  for (const rule of rules) if (!(await rule(caller))) return false
  return true
}

function keyOf({ kind, name }: Registered): string {
  return `${kind} ${name}`
}
