// Rules come from files, over HTTP and from people: whatever is not understood is refused, since a rule that says less than
// its author meant decides about more calls than they meant.
import { z } from 'zod'
import type { Rule, RuleMatch } from './rule.js'

/** A pattern is looked for in whatever a caller sends, so that it is short, and there are few. */
const maxPatternChars = 200
const maxConditions = 50
/** Nobody waits longer for a person. */
const maxWaitMs = 366 * 24 * 60 * 60 * 1000

const name = z.string().min(1).max(maxPatternChars)
const scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()])
const range = z
  .strictObject({ min: z.number(), max: z.number() })
  .partial()
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'has "min" or "max"')
const condition = z.union(
  [
    scalar,
    z.strictObject({ oneOf: z.array(scalar).min(1).max(1_000) }),
    z.strictObject({ prefix: z.string().max(1_000) }),
    z.strictObject({ like: z.string().max(maxPatternChars) }),
    range,
  ],
  'is a value, or one of { "oneOf": [...] }, { "min": 0, "max": 9 }, { "prefix": "..." } and { "like": "*..." }',
)
const audience = z
  .strictObject({ principals: z.array(name).max(1_000), groups: z.array(name).max(1_000) })
  .partial()
  .refine(({ principals = [], groups = [] }) => principals.length + groups.length > 0, 'names nobody')
/** Milliseconds; for people, as they write it. */
const time = z.union(
  [z.int().min(0), z.iso.datetime({ offset: true }).transform(text => Date.parse(text))],
  'is a time such as "2027-01-31T00:00:00Z", or milliseconds since 1970',
)

const match = z
  .strictObject({
    server: name,
    tool: name,
    destructive: z.boolean(),
    readOnly: z.boolean(),
    arguments: z
      .record(z.string().max(1_000), condition)
      .refine(all => Object.keys(all).length <= maxConditions, `has at most ${maxConditions} conditions`),
    exactArguments: z.json(),
    principal: name,
    group: name,
  })
  .partial()

const members = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,100}$/, 'has letters, digits, ".", "_" and "-", and at most 100 of them'),
  effect: z.enum(['allow', 'deny', 'ask'], 'is "allow", "deny" or "ask"'),
  match,
  audience: audience.optional(),
  quorum: z.int().min(1).max(1_000).optional(),
  escalation: z.strictObject({ afterMs: z.int().min(0).max(maxWaitMs), audience }).optional(),
  from: time.optional(),
  until: time.optional(),
  reason: z.string().min(1).max(1_000).optional(),
})

/** What may be where in a rule. */
export const ruleMembers: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(members.shape),
  match: Object.keys(match.shape),
}

/** A rule as it is written, with its times as texts. */
export const ruleSchema: z.ZodType<Rule> = members.superRefine((rule, { addIssue }) => {
  const { effect, quorum, audience, escalation, reason, from, until, match } = rule
  const wrong = (key: string, message: string) => addIssue({ code: 'custom', path: [key], message })
  if (effect !== 'ask' && audience !== undefined) wrong('audience', 'is for "ask" alone')
  if (effect !== 'ask' && quorum !== undefined) wrong('quorum', 'is for "ask" alone')
  if (effect !== 'ask' && escalation !== undefined) wrong('escalation', 'is for "ask" alone')
  if (effect !== 'deny' && reason !== undefined) wrong('reason', 'is for "deny" alone: the model reads it')
  if (from !== undefined && until !== undefined && until <= from) wrong('until', 'is not after "from"')
  if (effect === 'allow' && match.destructive === undefined && isForAll(match))
    wrong('match', 'says nothing of the tool: an "allow" names a server, a tool, or whether it is destructive')
  const { principals = [], groups = [] } = audience ?? { groups: ['anyone'] }
  if (quorum !== undefined && groups.length === 0 && new Set(principals).size < quorum)
    wrong('quorum', 'is of more people than are asked')
})

/** What would allow every tool of every server is a mistake more often than not. */
function isForAll({ server, tool, readOnly }: RuleMatch): boolean {
  return readOnly !== true && [server, tool].every(name => name === undefined || /^\*+$/.test(name))
}
