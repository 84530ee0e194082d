// What someone tries the inbox with, as far as the desk told of it.
import type { TrialNews } from '@beckon/core/live'

/** One trial: what came back, or why it failed; neither while it goes on. */
export type Trial = Omit<Extract<TrialNews, { kind: 'ended' }>, 'session' | 'kind'> & { readonly isOver: boolean }

export class Trials {
  readonly #bySession = new Map<string, Trial>()
  #isBeginning = false

  /** Whether one was begun that no ask came of yet. */
  get isBeginning(): boolean {
    return this.#isBeginning
  }

  in(session: string): Trial | undefined {
    return this.#bySession.get(session)
  }

  begin(): void {
    this.#isBeginning = true
  }

  /** It has come to an ask, or to nothing. */
  begun(): void {
    this.#isBeginning = false
  }

  heard(news: TrialNews): void {
    if (news.kind === 'opened') {
      this.#bySession.set(news.session, { isOver: false })
      return
    }
    this.begun()
    const { kind: _, session, ...end } = news
    if (session !== undefined) this.#bySession.set(session, { ...end, isOver: true })
  }

  /** The connection is lost, and with it what would be told on it. */
  lose(): void {
    this.begun()
    for (const [session, { isOver }] of this.#bySession) if (!isOver) this.#bySession.delete(session)
  }
}
