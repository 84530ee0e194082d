import type { AskDesk } from '../src/index.js'
import type { CallReport, DeskOutcome, DeskRequest } from '../src/wires/desk.js'

export type { AskDesk, DeskOutcome }

/** A desk with one person at it, who answers everything at once. */
export function deskAnsweredBy(reply: (request: DeskRequest) => Promise<DeskOutcome>): AskDesk {
  return {
    open: async (_subject, request) => ({
      id: request.id,
      link: 'https://desk.example/',
      outcome: () => reply(request),
      withdraw: async () => {},
    }),
  }
}

interface Asked {
  readonly message: string
  outcome: DeskOutcome | undefined
  report: CallReport | undefined
  readonly waiting: Set<(outcome: DeskOutcome) => void>
}

/** A desk that outlives the processes that use it, and is answered by hand. */
export function deskDouble(): AskDesk & {
  messages(): string[]
  reports(): (CallReport | undefined)[]
  answer(message: string, outcome: DeskOutcome): void
} {
  const asks = new Map<string, Asked>()
  return {
    messages: () => Array.from(asks.values()).flatMap(asked => (asked.outcome === undefined ? [asked.message] : [])),
    reports: () => Array.from(asks.values(), ({ report }) => report),
    answer(message, outcome) {
      const all = Array.from(asks.values()).filter(candidate => candidate.message === message)
      const asked = all.findLast(candidate => candidate.outcome === undefined) ?? all.at(-1)
      if (asked === undefined) throw new Error(`Nobody was asked: ${message}`)
      asked.outcome = outcome
      for (const resolve of asked.waiting) resolve(outcome)
    },
    async open({ call }, { id, message }) {
      const key = `${call}.${id}`
      const asked: Asked = asks.get(key) ?? { message, outcome: undefined, report: undefined, waiting: new Set() }
      asks.set(key, asked)
      return {
        id,
        link: 'https://desk.example/',
        outcome: async () => asked.outcome ?? new Promise(resolve => asked.waiting.add(resolve)),
        async withdraw() {
          asked.outcome ??= { action: 'cancel', why: 'withdrawn' }
        },
        async report(report) {
          asked.report ??= report
        },
      }
    },
  }
}
