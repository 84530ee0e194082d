// A person's rules at the desk: tried, made, listed and revoked.
import { isRecord } from '@beckon/core/json-rpc'
import { askDesk, type Reply } from '../api/desk-api.js'
import type { WantedRule } from './wanted-rule.js'

/** A rule of one's own, as far as it is shown. */
export interface OwnRule {
  readonly id: string
  readonly effect: string
  readonly server: string | undefined
  readonly tool: string | undefined
  readonly isDestructive: boolean
  /** Whether it is about exactly one set of arguments, and which. */
  readonly exactArguments: unknown
  /** Milliseconds. */
  readonly until: number | undefined
}

/** Which past calls a rule would have been about. */
export interface TriedRule {
  readonly matchedCount: number
  /** How many calls were looked at. */
  readonly looked: number
  readonly matched: readonly { readonly tool: string; readonly askedAt: number; readonly arguments: unknown }[]
}

export async function tryRule(api: string, rule: WantedRule): Promise<TriedRule> {
  const { matchedCount, looked, matched } = await askDesk(api, '/api/rules/try', { body: rule })
  return {
    matchedCount: Number(matchedCount),
    looked: Number(looked),
    matched: records(matched).map(({ tool, askedAt, arguments: given }) => ({
      tool: String(tool),
      askedAt: Number(askedAt),
      arguments: given,
    })),
  }
}

export async function makeRule(api: string, rule: WantedRule): Promise<void> {
  await askDesk(api, '/api/rules', { body: rule })
}

/** Those of this person; admins and auditors are told of all. */
export async function ownRules(api: string, principal: string | undefined): Promise<OwnRule[]> {
  const { rules } = await askDesk(api, '/api/rules')
  return records(rules)
    .filter(({ owner }) => owner === principal)
    .map(({ id, effect, match, until }) => {
      const [about = {}] = records([match])
      return {
        id: String(id),
        effect: String(effect),
        server: textOf(about.server),
        tool: textOf(about.tool),
        isDestructive: about.destructive === true,
        exactArguments: about.exactArguments,
        until: typeof until === 'number' ? until : undefined,
      }
    })
}

export async function revokeRule(api: string, id: string): Promise<void> {
  await askDesk(api, `/api/rules/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

function records(value: unknown): Reply[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
