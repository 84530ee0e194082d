import type { DeskParts } from './desk-parts.js'
import { type DryRun, dryRun } from './dry-run/dry-run.js'
import { RefusedError } from './policy/refusals.js'
import type { KnownRule } from './rules/desk-rules.js'
import type { Rule } from './rules/rule.js'

/** A rule that is to be made. The desk gives it an id where it has none. */
export type NewRule = Omit<Rule, 'id' | 'owner'> & { readonly id?: string }

/** The rules of a desk, for the program that it runs in. */
export interface StandingRules {
  /** All of them, people's own as well. */
  list(): Promise<readonly KnownRule[]>
  /** Keeps a rule for the whole desk in the store. @throws RefusedError for one that has mistakes, or whose id is taken */
  add(rule: NewRule): Promise<KnownRule>
  /** Removes a rule from the store, at once on every node; false when it is not there. */
  remove(id: string): Promise<boolean>
  /** Which calls of the last seven days a rule would have been about. */
  try(rule: NewRule): Promise<DryRun>
}

export function standingRules({ rules, audit, sessions, clock }: DeskParts): StandingRules {
  return {
    list: () => rules.list(),
    async add(rule) {
      const added = await rules.add(rule)
      if ('code' in added) throw new RefusedError(added)
      return added
    },
    remove: id => rules.remove(id),
    async try(rule) {
      const draft = rules.draft(rule)
      if ('code' in draft) throw new RefusedError(draft)
      return dryRun({ audit, sessions, now: () => clock.now(), groupsOf: rules.groupsOf }, draft)
    },
  }
}
