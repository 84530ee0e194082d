import type { AskDesk, AskSubject, DeskOutcome, DeskRequest } from 'beckon/desk/adapter'

/** An ask on its way to a desk. */
export interface Passing {
  readonly subject: AskSubject
  readonly request: DeskRequest
  /** Where a person can answer. */
  readonly link: string
  /** Nobody has to. */
  readonly isEnded: boolean
}

/** A desk with something done around every ask that is opened on it. */
export function aroundAsks(
  desk: AskDesk,
  around: (passing: Passing, outcome: () => Promise<DeskOutcome>) => Promise<DeskOutcome>,
): AskDesk {
  return {
    async open(subject, request, options) {
      const opened = await desk.open(subject, request, options)
      const { link, isEnded = false } = opened
      return {
        ...opened,
        outcome: signal => around({ subject, request, link, isEnded }, () => opened.outcome(signal)),
        withdraw: () => opened.withdraw(),
      }
    },
  }
}
