import { escapeActing } from '@beckon/core'
import { callInternals } from '../../author/call-internals.js'
import type { Context } from '../../author/context.js'
import type { Middleware } from '../../author/middleware.js'
import { redact } from './redact.js'

/** A call that has ended. Never what a person answered, and never the result. */
export interface LoggedCall {
  readonly kind: 'tool' | 'prompt' | 'resource'
  readonly name: string
  /** What it was called with, without what looks secret. */
  readonly input: unknown
  readonly principal: string | undefined
  /** How it ended: with a result, with one that says it failed, or by throwing. */
  readonly outcome: 'ok' | 'error' | 'thrown'
  /** From its first request on, with the time that people took. */
  readonly durationMs: number
}

export interface LoggerOptions {
  /** Takes each call. Default: one line of JSON on standard error. */
  log?: (call: LoggedCall) => void
}

/**
 * Logs each call once, when it has ended, over however many rounds and replays.
 * @example
 * server.use(logger())
 */
export function logger({ log = writeLine }: LoggerOptions = {}): Middleware {
  return async function logger(ctx, next) {
    const { clock } = callInternals(ctx)
    const beganAt = await ctx.step('logger', () => clock.now())
    const say = (outcome: LoggedCall['outcome']) =>
      log({ ...describe(ctx), outcome, durationMs: clock.now() - beganAt })
    try {
      const result = await next()
      say(isError(result) ? 'error' : 'ok')
      return result
    } catch (error) {
      say('thrown')
      throw error
    }
  }
}

function describe({ subject, principal }: Context): Pick<LoggedCall, 'kind' | 'name' | 'input' | 'principal'> {
  const { kind, name, input } = subject
  return { kind, name, input: redact(input), principal }
}

function isError(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true
}

/** On standard error: standard output may be the wire. */
function writeLine(call: LoggedCall): void {
  console.error(escapeActing(JSON.stringify(call)))
}
