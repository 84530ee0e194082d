/** Why a desk refused something, as it came: a code that may be unknown here, and the desk's own sentence beside it. */
export interface SaidRefusal {
  readonly code?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly reason: string
}
