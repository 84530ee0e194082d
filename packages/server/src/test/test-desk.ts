// A desk in memory, for the tests of a server whose clients cannot ask: open asks, and the people who see and answer them.
import { asksOthers, type DeskPolicy } from '../call/ask-policy.js'
import type { AskDesk, AskSubject, CallReport, DeskOutcome, DeskRequest } from '../wires/desk.js'
import type { TestAsk } from './ask.js'
import { replyTo, type TestAnswer } from './reply-to.js'

/** An ask on a desk. */
export type TestDeskAsk = TestAsk & {
  /** Whom its call is for; undefined for an anonymous caller. */
  readonly principal: string | undefined
  /** Who answered it; undefined while it is open, and for one that was withdrawn. */
  readonly answeredBy: string | undefined
  /** What came of its call; undefined until that has ended. */
  readonly report: CallReport | undefined
}

/** Someone at the desk. */
export interface TestPerson {
  readonly name: string
  /**
   * What they can answer now: asks for themselves, those of anonymous callers, and those whose audience they are in. Their own
   * calls are not theirs to approve, unless the approval says `requesterCounts`.
   */
  asks(): readonly TestDeskAsk[]
  /**
   * Answers the ask with these words, as `answer` of a test client takes them; with a quorum, it stays open until enough people
   * accepted the same. Rejects where they see no such ask: somebody else was faster, it was withdrawn, or it is for another person.
   */
  answer(message: string, answer: TestAnswer): Promise<void>
}

export interface TestDesk extends AskDesk {
  /** Every ask that was ever on it, in order. */
  readonly asked: readonly TestDeskAsk[]
  /** @param options.groups The groups that they are in: an audience may name those. */
  person(name: string, options?: { readonly groups?: readonly string[] }): TestPerson
}

interface Entry {
  ask: TestDeskAsk
  readonly call: string
  readonly policy: DeskPolicy
  /** Who accepted, by what. */
  readonly accepted: Map<string, Set<string>>
  outcome: DeskOutcome | undefined
  readonly settle: Set<(outcome: DeskOutcome) => void>
}

/**
 * A desk for tests, with as many people as they name. It outlives the servers that use it, as a desk in another process does.
 * @example
 * const desk = createTestDesk()
 * const server = createServer({ name: 'shop', version: '1.0.0', desk, wait: 'hold' })
 * const result = createTestClient(server, { principal: 'ann', capabilities: {} }).callTool('deploy')
 * await desk.person('ann').answer('Deploy to prod?', { action: 'decline', reason: 'Not on a Friday.' })
 *
 * Reminders and escalation, which come with time, are for the tests of a real desk.
 */
export function createTestDesk(): TestDesk {
  const entries = new Map<string, Entry>()
  const all = () => Array.from(entries.values())

  function sees(name: string, groups: readonly string[], { ask, outcome, policy, accepted }: Entry): boolean {
    if (outcome !== undefined || Array.from(accepted.values()).some(by => by.has(name))) return false
    if (!asksOthers(policy)) return ask.principal === undefined || ask.principal === name
    if (ask.principal === name && !policy.requesterCounts) return false
    const { principals = [], groups: asked = [] } = policy.audience ?? {}
    return policy.audience === undefined || principals.includes(name) || asked.some(group => groups.includes(group))
  }

  /** What an answer ends an ask with; undefined where it waits for more people. */
  function decide({ policy, accepted }: Entry, outcome: DeskOutcome, name: string): DeskOutcome | undefined {
    const { quorum = 1, outlastsDecline = false } = policy
    if (outcome.action === 'decline' && outlastsDecline) return undefined
    if (outcome.action !== 'accept') return outcome
    const same = JSON.stringify(outcome.content)
    const by = (accepted.get(same) ?? new Set()).add(name)
    accepted.set(same, by)
    return by.size < quorum ? undefined : { ...outcome, by: Array.from(by, principal => ({ principal })) }
  }

  function end(entry: Entry, outcome: DeskOutcome): void {
    entry.outcome = outcome
    for (const settle of entry.settle) settle(outcome)
  }

  return {
    get asked() {
      return all().map(({ ask }) => ask)
    },
    person: (name, { groups = [] } = {}) => ({
      name,
      asks: () => all().flatMap(entry => (sees(name, groups, entry) ? [entry.ask] : [])),
      async answer(message, answer) {
        const entry = all().find(one => one.ask.message === message && sees(name, groups, one))
        if (entry === undefined) throw new Error(`${name} sees no open ask "${message}".`)
        const outcome = decide(entry, outcomeOf(entry.ask, answer, name), name)
        if (outcome === undefined) return
        entry.ask = { ...entry.ask, answeredBy: name }
        end(entry, outcome)
      },
    }),
    async open(subject, request, { policy = {} }) {
      const { call = request.id } = subject
      const key = `${call} ${request.id}`
      const ask = readAsk(subject, request)
      const entry: Entry = entries.get(key) ?? {
        ask,
        call,
        policy,
        accepted: new Map(),
        outcome: undefined,
        settle: new Set(),
      }
      entries.set(key, entry)
      return {
        id: request.id,
        link: `https://desk.test/${call}`,
        outcome: async () => entry.outcome ?? new Promise<DeskOutcome>(settle => entry.settle.add(settle)),
        async withdraw() {
          entry.outcome ?? end(entry, { action: 'cancel', why: 'withdrawn' })
        },
        async report(report) {
          for (const one of all()) if (one.call === call) one.ask = { ...one.ask, report: one.ask.report ?? report }
        },
      }
    },
  }
}

function readAsk({ tool = '', principal }: AskSubject, { id, message, form, url }: DeskRequest): TestDeskAsk {
  const base = { tool, key: undefined, principal, answeredBy: undefined, report: undefined, message }
  if (url !== undefined) return { ...base, kind: 'url', url, elicitationId: id }
  return form === undefined ? { ...base, kind: 'confirm' } : { ...base, kind: 'form', schema: form }
}

function outcomeOf(ask: TestDeskAsk, answer: TestAnswer, principal: string): DeskOutcome {
  const by = [{ principal }]
  const reason =
    typeof answer === 'object' && 'reason' in answer && typeof answer.reason === 'string' ? answer.reason : undefined
  const { action, content = {} } = replyTo(ask, answer) as { action: 'accept' | 'decline' | 'cancel'; content?: never }
  if (action === 'accept') return { action, content, by }
  if (action === 'cancel') return { action, by }
  return { action, ...(reason !== undefined && { reason }), by }
}
