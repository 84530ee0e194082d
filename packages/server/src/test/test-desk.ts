// A desk in memory, for the tests of a server whose clients cannot ask: open asks, and the people who see and answer them.
import type { Ask, Ending } from '../call/ask.js'
import type { AskDesk, DeskCall } from '../wires/desk.js'
import type { TestAsk } from './ask.js'
import { replyTo, type TestAnswer } from './reply-to.js'

/** An ask on a desk. */
export type TestDeskAsk = TestAsk & {
  /** Whom its call is for; undefined for a caller whom nothing identifies. */
  readonly principal: string | undefined
  /** Who answered it; undefined while it is open, and for one that was withdrawn. */
  readonly answeredBy: string | undefined
}

/** Someone at the desk. */
export interface TestPerson {
  readonly name: string
  /** What they can answer now: asks for themselves, and those whose caller nothing identifies. */
  asks(): readonly TestDeskAsk[]
  /**
   * Answers the ask with these words, as `answer` of a test client takes them. Rejects where they see no such ask: somebody
   * else was faster, it was withdrawn, or it is for another person.
   */
  answer(message: string, answer: TestAnswer): Promise<void>
}

export interface TestDesk extends AskDesk {
  /** Every ask that was ever on it, in order. */
  readonly asked: readonly TestDeskAsk[]
  person(name: string): TestPerson
}

interface Entry {
  ask: TestDeskAsk
  ending: Ending | undefined
  readonly settle: Set<(ending: Ending) => void>
}

/**
 * A desk for tests, with as many people as they name. It outlives the servers that use it, as a desk in another process does.
 * @example
 * const desk = createTestDesk()
 * const server = createServer({ name: 'shop', version: '1.0.0', desk, wait: 'hold' })
 * const result = createTestClient(server, { principal: 'ann', capabilities: {} }).callTool('deploy')
 * await desk.person('ann').answer('Deploy to prod?', { action: 'decline', reason: 'Not on a Friday.' })
 */
export function createTestDesk(): TestDesk {
  const entries = new Map<string, Entry>()
  const all = () => Array.from(entries.values())

  function sees(name: string, { ask, ending }: Entry): boolean {
    return ending === undefined && (ask.principal === undefined || ask.principal === name)
  }

  function end(entry: Entry, ending: Ending): void {
    entry.ending = ending
    for (const settle of entry.settle) settle(ending)
  }

  return {
    get asked() {
      return all().map(({ ask }) => ask)
    },
    person: name => ({
      name,
      asks: () => all().flatMap(entry => (sees(name, entry) ? [entry.ask] : [])),
      async answer(message, answer) {
        const entry = all().find(one => one.ask.message === message && sees(name, one))
        if (entry === undefined) throw new Error(`${name} sees no open ask "${message}".`)
        const ending = endingOf(entry.ask, answer)
        entry.ask = { ...entry.ask, answeredBy: name }
        end(entry, ending)
      },
    }),
    async attend(call) {
      return {
        link: `https://desk.test/${call.id}`,
        ask(id, ask, { signal }) {
          const key = `${call.id} ${id}`
          const entry = entries.get(key) ?? { ask: readAsk(ask, call), ending: undefined, settle: new Set() }
          entries.set(key, entry)
          if (entry.ending !== undefined) return Promise.resolve(entry.ending)
          signal.addEventListener('abort', () => entry.ending ?? end(entry, withdrawn), { once: true })
          return new Promise(settle => entry.settle.add(settle))
        },
        leave: async () => {},
      }
    },
  }
}

const withdrawn: Ending = { kind: 'outcome', outcome: { action: 'cancel' } }

function readAsk(ask: Ask, { tool, principal }: DeskCall): TestDeskAsk {
  const base = { tool, key: undefined, principal, answeredBy: undefined }
  switch (ask.kind) {
    case 'confirm':
      return { ...base, kind: 'confirm', message: ask.message }
    case 'form':
      return { ...base, kind: 'form', message: ask.message, schema: ask.form }
    case 'url':
      return { ...base, kind: 'url', message: ask.message, url: ask.url, elicitationId: ask.elicitationId }
    default:
      throw new TypeError(`A desk has no "${ask.kind}": that is for a client.`)
  }
}

function endingOf(ask: TestDeskAsk, answer: TestAnswer): Ending {
  const reason =
    typeof answer === 'object' && 'reason' in answer && typeof answer.reason === 'string' ? answer.reason : undefined
  const { action, content = {} } = replyTo(ask, answer) as { action: 'accept' | 'decline' | 'cancel'; content?: never }
  if (action === 'accept') return { kind: 'outcome', outcome: { action, content } }
  if (action === 'cancel') return { kind: 'outcome', outcome: { action } }
  return { kind: 'outcome', outcome: { action, ...(reason !== undefined && { reason }) } }
}
