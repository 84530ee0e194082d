// Whether an ask takes an answer from anyone, or only one that a person can have given.

/**
 * Whose answer counts. `present`: not one that comes sooner than anybody could have read the question, nor one of a client
 * that is known to answer by itself. `verified`: only one that a person confirmed with a passkey, on our page or on the desk.
 * `unchecked`: any. With `floorMs`, as `present`, with a floor of the author's own.
 */
export type PersonRule = 'present' | 'verified' | 'unchecked' | { readonly floorMs: number }

/** What is said about it beside the ask itself. */
export interface PersonRules {
  /** For every tool of the server. As an object it sets the floor where the check is on, and turns nothing on. */
  readonly server: PersonRule | undefined
  /** For every ask of the tool. */
  readonly tool: PersonRule | undefined
  /** Whether the tool is annotated `destructive` or `requiresConfirmation`: there the check is on by default. */
  readonly isGuarded: boolean
}

/** How an ask is checked; undefined where any answer counts. */
export interface PersonCheck {
  /** Instead of what grows with the text. */
  readonly floorMs: number | undefined
}

/** How an ask is checked: by what it says itself, else by what its tool says, else its server, else its annotations. */
export function personCheck(own: PersonRule | undefined, rules: PersonRules): PersonCheck | undefined {
  const { server, tool } = rules
  if (ruleFor(own, rules) === 'unchecked') return undefined
  return { floorMs: floorIn(own) ?? floorIn(tool) ?? floorIn(server) }
}

/** Whether an ask takes a passkey. */
export function takesPasskey(own: PersonRule | undefined, rules: PersonRules): boolean {
  return ruleFor(own, rules) === 'verified'
}

/** Whether an author has said that a person has to be there: what the annotations of a tool come to is not said by anyone. */
export function wantsPerson(own: PersonRule | undefined, { server, tool }: PersonRules): boolean {
  const said = own ?? tool ?? (server === 'present' ? server : 'unchecked')
  return said !== 'unchecked'
}

function ruleFor(own: PersonRule | undefined, { server, tool, isGuarded }: PersonRules): PersonRule {
  const byDefault: PersonRule = isGuarded ? 'present' : 'unchecked'
  return own ?? tool ?? (typeof server === 'object' ? byDefault : (server ?? byDefault))
}

/** @throws TypeError for something that is not a rule, at registration rather than when somebody is asked */
export function checkPersonRule(rule: unknown, where: string): void {
  if (rule === undefined || rule === 'present' || rule === 'verified' || rule === 'unchecked') return
  const { floorMs } = typeof rule === 'object' && rule !== null ? (rule as { floorMs?: unknown }) : {}
  if (typeof floorMs === 'number' && floorMs >= 0 && Number.isFinite(floorMs)) return
  throw new TypeError(
    `\`person\` of ${where} must be 'present', 'verified', 'unchecked' or { floorMs }, with 0 ms or more.`,
  )
}

function floorIn(rule: PersonRule | undefined): number | undefined {
  return typeof rule === 'object' ? rule.floorMs : undefined
}
