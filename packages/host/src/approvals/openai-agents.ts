// The OpenAI Agents SDK: a run stops at tools with `needsApproval`, and goes on from its state once they are decided.
import { type Approve, eachHasItsOwn } from './approvals.js'

/** A call that waits, as far as approvals go. */
export interface OpenAiInterruption {
  readonly name?: string | undefined
  /** As JSON. */
  readonly arguments?: string | undefined
  readonly rawItem: object
}

/** The state of a run, also one that was read from where it was kept. */
export interface OpenAiRunState<Interruption extends OpenAiInterruption> {
  getInterruptions(): Interruption[]
  approve(interruption: Interruption): void
  reject(interruption: Interruption, options?: { message?: string }): void
}

/**
 * Has every call approved or rejected that a run waits for; whether there was any.
 *
 * @example
 * let result = await run(agent, input)
 * while (await decideInterruptions(result.state, approve)) result = await run(agent, result.state)
 */
export async function decideInterruptions<Interruption extends OpenAiInterruption>(
  state: OpenAiRunState<Interruption>,
  approve: Approve,
  signal?: AbortSignal,
): Promise<boolean> {
  const interruptions = state.getInterruptions()
  eachHasItsOwn(interruptions.map(({ rawItem }) => idOf(rawItem)))
  const decided = interruptions.map(async interruption => {
    const { rawItem, name = 'a tool' } = interruption
    const call = { id: idOf(rawItem), tool: name, input: inputOf(interruption) }
    return { interruption, approval: await approve(call, signal) }
  })
  for (const { interruption, approval } of await Promise.all(decided)) {
    if (approval.approved) state.approve(interruption)
    else state.reject(interruption, { message: approval.reason })
  }
  return interruptions.length > 0
}

function idOf(rawItem: object): string {
  // Hosted tools have an id of their own.
  const { callId, id } = rawItem as { callId?: unknown; id?: unknown }
  const known = callId ?? id
  if (typeof known !== 'string') throw new Error('A call that waits for approval has no id.')
  return known
}

/** What cannot be read is shown as it came, and what has no arguments of its own whole: a shell command, say. */
function inputOf({ arguments: text, rawItem }: OpenAiInterruption): unknown {
  if (text === undefined) return rawItem
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
