// For clients that cannot ask, where a desk is attached: the ask is put on the desk, and the call goes on by itself.
// The request waits for a while; then its result tells the model where the person can answer, and to call the same tool
// with the same arguments again, which continues this very call until its result was delivered once. A caller whom nothing
// tells apart is given a handle to bring along, under one argument of our own.
import type { Ask, Ending, OpenAsk } from '../call/ask.js'
import { relayArgument } from './relay.js'

/** A call as a desk shows it. */
export interface DeskCall {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly principal: string | undefined
  /** Whether the tool is annotated so: a person is warned before they agree. */
  readonly destructive?: boolean | undefined
}

/** Where a call's asks are put. `@beckon/desk` makes one. */
export interface AskDesk {
  /** A place for a call: the same one for the same call, also after a restart. */
  attend(call: DeskCall): Promise<DeskPlace>
}

/** The place of one call on a desk. */
export interface DeskPlace {
  /** Where a person can answer. */
  readonly link: string
  /** Puts an ask, unless it is there already, and resolves when it has ended. */
  ask(id: string, ask: Ask, options: { expiresAt: number; signal: AbortSignal }): Promise<Ending>
  /** The call is over. */
  leave(how: 'complete' | 'cancel'): Promise<void>
}

/** A call whose person takes longer than its request waits. */
export interface DeskWaiting {
  readonly link: string
  readonly asks: readonly OpenAsk[]
  /** What has to be brought back to go on, where nothing else tells whose call it is. */
  readonly handle?: string | undefined
}

/** The schema of the argument under which a handle is brought back, for a tool's input schema. */
export const handleSchema: Record<string, unknown> = {
  type: 'object',
  description: 'Only when an earlier result of this tool asked for it: the handle from that result.',
  properties: { handle: { type: 'string' } },
  required: ['handle'],
}

/** The handle that a model brings back with the arguments of a tool. */
export function handleIn(args: unknown): string | undefined {
  const { [relayArgument]: brought } = (args ?? {}) as Record<string, unknown>
  const { handle } = (brought ?? {}) as Record<string, unknown>
  return typeof handle === 'string' ? handle : undefined
}

/** What a model is told while a person thinks. */
export function waitingText(tool: string, { link, asks, handle }: DeskWaiting): string {
  const questions = asks.flatMap(({ ask }) => ('message' in ask ? [JSON.stringify(ask.message)] : []))
  const along = handle === undefined ? '' : ` and "${relayArgument}": {"handle":"${handle}"}`
  return (
    `A person was asked: ${questions.join(', ')}. They have not answered yet, and can do so at ${link} . ` +
    `Tell them, and do not answer for them. To go on, call "${tool}" again with the same arguments${along}: it continues this call.`
  )
}
