// An examination of a server: in each era, with and without elicitation, and what all of that says about the rules.
import type { TransportOptions } from '../connect/connect.js'
import { describeTarget, type Target } from '../connect/target.js'
import { judgeAsks } from './ask-rules.js'
import { type Check, judge, type Rule } from './check.js'
import { type Observation, observe, type ToolCall } from './observe.js'
import { judgeRounds } from './round-rules.js'

export interface Examination {
  readonly server: Readonly<Record<string, unknown>>
  /** By era; the reason, where the server does not speak it. */
  readonly eras: Readonly<
    Record<'2025' | '2026', { version: string; tools: string[]; asks: string[] } | { no: string }>
  >
  readonly capabilities: readonly string[]
  /** The tool that was called, where one was. */
  readonly called?: string
  readonly checks: readonly Check[]
}

export interface ExamineOptions extends TransportOptions {
  readonly target: Target
  readonly call?: ToolCall | undefined
  readonly timeoutMs: number
}

const rules = {
  silent: {
    id: 'silent-without-elicitation',
    level: 'MUST',
    rule: 'A client without elicitation is not asked.',
    remedy: 'Look at the capabilities before asking; answer with error -32021, or do without.',
  },
  names: {
    id: 'tool-names',
    level: 'SHOULD',
    rule: 'Names of tools are letters, digits, "_", "-" and ".", at most 128.',
    remedy: 'Rename the tool; clients refuse other names.',
  },
  schemas: {
    id: 'input-schemas',
    level: 'MUST',
    rule: 'The input schema of a tool is that of an object.',
    remedy: 'Write { "type": "object" } for a tool without arguments.',
  },
} as const satisfies Record<string, Rule>

const modes = [
  { form: true, url: true },
  { form: true, url: false },
  { form: false, url: false },
]

export async function examine(options: ExamineOptions): Promise<Examination> {
  const seen = { '2025': await inEra('2025', options), '2026': await inEra('2026', options) }
  const all = Object.values(seen).flatMap(outcome => ('no' in outcome ? [] : outcome.observations))
  const [first] = all
  if (first === undefined) throw seen['2025'].reason
  const asks = all.flatMap(observation => observation.asks)
  const silent = asks.filter(({ declared }) => !declared.form && !declared.url)
  const tools = all.flatMap(observation => observation.tools)
  return {
    server: first.server,
    eras: { '2025': summary(seen['2025']), '2026': summary(seen['2026']) },
    capabilities: Object.keys(first.capabilities),
    ...(options.call !== undefined && { called: options.call.name }),
    checks: [
      judge(rules.schemas, tools.length > 0, unique(tools.flatMap(badSchema))),
      judge(rules.names, tools.length > 0, unique(tools.flatMap(badName))),
      judge(
        rules.silent,
        asks.length > 0 || options.call !== undefined,
        silent.map(({ params }) => `"${params.message}"`),
      ),
      ...judgeAsks(asks),
      ...judgeRounds(all.map(({ rounds }) => rounds)),
    ],
  }
}

type Outcome =
  | { readonly observations: readonly Observation[]; readonly reason?: never }
  | { readonly no: string; readonly reason: unknown }

async function inEra(era: '2025' | '2026', options: ExamineOptions): Promise<Outcome> {
  // Without a call there is nothing to be asked, and one look is enough.
  const wanted = options.call === undefined ? modes.slice(0, 1) : modes
  const looks = await Promise.allSettled(wanted.map(declares => observe({ ...options, era, declares })))
  const observations = looks.flatMap(look => (look.status === 'fulfilled' ? [look.value] : []))
  const [reason] = looks.flatMap(look => (look.status === 'rejected' ? [look.reason] : []))
  if (observations.length > 0) return { observations }
  const message = reason instanceof Error ? reason.message : String(reason)
  return { no: message.replace(`Cannot connect to ${describeTarget(options.target)}. `, ''), reason }
}

function summary(outcome: Outcome): Examination['eras']['2025'] {
  if ('no' in outcome) return { no: outcome.no }
  const [first] = outcome.observations
  const asks = outcome.observations.flatMap(observation => observation.asks)
  return {
    version: first?.version ?? '',
    tools: (first?.tools ?? []).map(({ name }) => String(name)),
    asks: unique(asks.map(({ params }) => `${params.mode === 'url' ? 'url' : 'form'}: ${params.message}`)),
  }
}

function badName({ name }: Readonly<Record<string, unknown>>): string[] {
  return /^[\w.-]{1,128}$/.test(String(name)) ? [] : [`"${name}"`]
}

function badSchema({ name, inputSchema }: Readonly<Record<string, unknown>>): string[] {
  const isObject = typeof inputSchema === 'object' && inputSchema !== null && 'type' in inputSchema
  return isObject && inputSchema.type === 'object' ? [] : [`"${name}"`]
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
