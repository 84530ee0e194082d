// Standing rules. What checks them is `rules/rule-schema.ts`.
import { exactly, listOf, object, ref, type Schema } from './shapes.js'

const text = { type: 'string' } as const
const name = { type: 'string', minLength: 1, maxLength: 200 } as const
const time = { type: 'integer', description: 'Milliseconds since 1970.' } as const
const scalar = { type: ['string', 'number', 'boolean', 'null'] } as const
const writtenTime = {
  type: ['integer', 'string'],
  description: 'Milliseconds since 1970, or such as 2027-01-31T00:00:00Z.',
} as const

const id = { type: 'string', pattern: '^[\\w.-]{1,100}$' } as const
const said = { effect: { enum: ['allow', 'deny', 'ask'] }, match: ref('RuleMatch') }
const more = {
  audience: { ...ref('Audience'), description: 'Who is asked, with ask. Default: as the tool says.' },
  quorum: { type: 'integer', minimum: 1, description: 'How many of them have to agree, with ask.' },
  escalation: {
    ...exactly({ afterMs: { type: 'integer', minimum: 0 }, audience: ref('Audience') }),
    description: 'Who is asked instead when nobody has decided by then, with ask.',
  },
  reason: { type: 'string', maxLength: 1_000, description: 'Told to the model, with deny.' },
}

export const ruleSchemas: Readonly<Record<string, Schema>> = {
  Condition: {
    description: 'What an argument must be: a value, or one of these.',
    oneOf: [
      scalar,
      exactly({ oneOf: listOf(scalar) }),
      exactly({}, { min: { type: 'number' }, max: { type: 'number' } }),
      exactly({ prefix: text }),
      exactly({ like: { type: 'string', maxLength: 200, description: '* stands for any text.' } }),
    ],
  },
  RuleMatch: {
    ...exactly(
      {},
      {
        server: { ...name, description: '* stands for any text.' },
        tool: { ...name, description: '* stands for any text.' },
        destructive: { type: 'boolean' },
        readOnly: { type: 'boolean' },
        arguments: {
          type: 'object',
          description: 'By name, or by JSON Pointer.',
          additionalProperties: ref('Condition'),
        },
        exactArguments: { description: 'The arguments are these, and no others.' },
        principal: { ...name, description: 'Who called.' },
        group: { ...name, description: 'A group of who called, where the desk has a directory.' },
      },
    ),
    description: 'Which calls a rule is about: all that it says has to hold.',
  },
  RuleBody: exactly(said, {
    id: { ...id, description: 'Default: one that the desk makes, as it does for rules of your own.' },
    ...more,
    from: writtenTime,
    until: { ...writtenTime, description: `${writtenTime.description} A rule of your own lasts for 90 days at most.` },
    own: { type: 'boolean', description: 'It is your own. Only an admin can make one that is not.' },
  }),
  Rule: object(
    { id, ...said, source: { enum: ['file', 'code', 'store'] } },
    { ...more, from: time, until: time, owner: { type: 'string', description: 'Whose own rule it is.' } },
  ),
  Rules: object({ rules: listOf(ref('Rule')) }),
  MatchedCall: object(
    { session: text, id: text, server: text, tool: text, askedAt: time },
    {
      arguments: { description: 'What the tool was called with.' },
      isRefused: { const: true, description: 'It can destroy something, and the rule allows it without saying so.' },
    },
  ),
  DryRun: object(
    {
      matched: { ...listOf(ref('MatchedCall')), description: 'The last 100, the newest first.' },
      matchedCount: { type: 'integer', minimum: 0 },
      looked: { type: 'integer', minimum: 0, description: 'How many calls it looked at.' },
      since: { ...time, description: 'From when on.' },
    },
    { searchedTo: { ...time, description: 'Later calls were not looked at.' } },
  ),
}
