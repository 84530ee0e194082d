/** One thing that is wrong with an answer: which question, and what to do about it. Never the answer itself. */
export interface Issue {
  /** The property name of the question; empty when it is about the answer as a whole. */
  path: string[]
  message: string
}

/** Issues as one text. */
export function inWords(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join(' ')
}
