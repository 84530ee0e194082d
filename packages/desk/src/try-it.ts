// What someone who has nothing to answer yet can try. The person who clicks must not wait until the ask is answered, and is told
// how it goes: where the ask is, and what came of it.
import type { TrialNews } from '@beckon/core/live'

/** What a trial tells the person who began it. */
export interface Trial {
  /** Its asks are in this session: the inbox of the person who tries opens them. */
  opened(session: string): void
}

/** Opens an ask to try the desk with. Resolves when all is over, with what came back where there is something to show. */
export type TryIt = (trial: Trial) => unknown

/** Begins trials, and tells of each. Never throws; what fails is told to the operator too. */
export function trialsOf(tryIt: TryIt, onError: (error: unknown) => void): (tell: (news: TrialNews) => void) => void {
  return function begin(tell) {
    let at: { readonly session?: string } = {}
    const trial: Trial = {
      opened(session) {
        at = { session }
        tell({ kind: 'opened', session })
      },
    }
    void Promise.resolve(trial)
      .then(tryIt)
      .then(
        result => tell({ kind: 'ended', ...at, ...(typeof result === 'string' && { result }) }),
        error => {
          onError(error)
          tell({ kind: 'ended', ...at, failure: error instanceof Error ? error.message : String(error) })
        },
      )
  }
}
