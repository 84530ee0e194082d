import type { Approve } from '@beckon/host/approvals'

/** What an agent is given. The model of each wants to erase a table, and then says that it is done. */
export interface Work {
  readonly approve: Approve
  /** What outlives the agent's process, as a database would keep it. */
  readonly kept: Map<string, string>
  /** Ends the agent as the end of its process would. */
  readonly signal: AbortSignal
  /** What the tool does. */
  erase(table: string): string
}

/** Runs an agent from its beginning, or from where it was when it stopped; gives what its model was told of its call. */
export type Agent = (work: Work) => Promise<string>
