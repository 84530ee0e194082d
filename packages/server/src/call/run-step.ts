import { BeckonError, CallCancelledError, given } from '@beckon/core'
import { isMap, isSet } from '#platform'
import { digest } from '../crypto/digest.js'
import { never } from '../runtime/never.js'
import { copyJson } from '../store/copy-json.js'
import type { JsonValue } from '../store/index.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import type { Journal, StepEntry, Thrown } from './journal.js'

/** As much of what an error says as is kept. */
const maxThrownChars = 500

/** Writes steps down for a call, for as long as the call is this process's. */
export interface StepRecorder {
  /**
   * Whether the call is still this process's, and everything before the step is stored: checked before a step runs, since
   * the call of a process that stalled for long may have been taken over.
   */
  isReady(): true | Promise<boolean>
  /** Writes a finished step down before anything after it runs. False when someone else has taken the call over. */
  step(entry: StepEntry): Promise<boolean>
}

/** A call, as its steps see it. */
interface Stepping {
  readonly id: string
  readonly journal: Journal
  readonly recorder: StepRecorder | undefined
  readonly isDropped: boolean
  /** The step whose function is being entered: what is asked meanwhile is asked inside it. */
  entering: string | undefined
  drop(reason: unknown): void
}

/** A step that was run: what is recorded of it, and what it threw where it failed. */
interface Ran {
  readonly entry: StepEntry
  readonly failed?: { readonly error: unknown }
}

/** Runs a step that the journal does not have, and remembers what came of it. Never settles in a call that was dropped. */
export async function runStep<R>(
  call: Stepping,
  { name, nth }: Pick<StepEntry, 'name' | 'nth'>,
  fn: (step: { id: string }) => R | Promise<R>,
): Promise<Ran> {
  const from = call.journal.reach
  const claiming = claim(call)
  if (claiming !== undefined) await claiming
  if (call.isDropped) return never()
  const begun = { kind: 'step' as const, name, nth, from }
  let ran: Ran
  try {
    const result = await enter(call, name, () => fn({ id: digest([call.id, name, nth]) }))
    ran = { entry: { ...begun, result: toJson(name, result) } }
  } catch (error) {
    // A store that was away has ended nothing: another run tries again.
    if (error instanceof StoreUnavailableError) throw error
    ran = { entry: { ...begun, result: null, thrown: thrownBy(error) }, failed: { error } }
  }
  if (call.isDropped) return never()
  await record(call, ran.entry)
  if (call.isDropped) return never()
  return ran
}

/** What the handler gets of a step that an earlier run recorded, for the handler to do with as it likes. */
export function resultOf({ result }: Pick<StepEntry, 'result'>): JsonValue {
  return copyJson(result)
}

/** What a step threw, as the journal has it: as another run throws it. */
export function errorOf(thrown: Thrown): unknown {
  if ('value' in thrown) return copyJson(thrown.value)
  const { name, message, code, data, kind } = thrown
  const error = Object.assign(new Error(message), given({ name, code, kind, data: data && copyJson(data) }))
  // By which errors of ours are known.
  return kind === undefined ? error : Object.defineProperty(error, brand, { value: kind })
}

const brand = Symbol.for('beckon.error')

function enter<R>(call: Stepping, name: string, fn: () => R): R {
  const outer = call.entering
  call.entering = name
  try {
    return fn()
  } finally {
    call.entering = outer
  }
}

/** A process that stalled for long may have been taken for dead, and another may own its call. */
function claim(call: Stepping): Promise<void> | undefined {
  const isReady = call.recorder?.isReady() ?? true
  if (isReady === true) return undefined
  return isReady.then(
    still => {
      if (!still) call.drop(overtaken())
    },
    error => call.drop(error),
  )
}

/** A step that could not be recorded did not happen for this run: a replay decides. */
async function record(call: Stepping, entry: StepEntry): Promise<void> {
  try {
    if ((await call.recorder?.step(entry)) === false) call.drop(overtaken())
  } catch (error) {
    call.drop(error)
  }
}

function overtaken(): CallCancelledError {
  return new CallCancelledError('Another process has taken this call over.')
}

function toJson(name: string, result: unknown): JsonValue {
  const text = JSON.stringify(result ?? null, (_key, value) => {
    if (!isMap(value) && !isSet(value)) return value
    throw new TypeError(
      `The step "${name}" gave a ${isMap(value) ? 'Map' : 'Set'}. Its result is kept as JSON: give an array or an object.`,
    )
  })
  if (text === undefined) throw new TypeError(`The step "${name}" gave something that JSON cannot carry.`)
  return JSON.parse(text)
}

/** What a step threw, as the journal keeps it. */
function thrownBy(error: unknown): Thrown {
  if (!(error instanceof Error)) return { value: jsonOf(error) ?? jsonOf(pick(error)) ?? 'It cannot be kept.' }
  const { name, message, code, data, kind } = error as { [key in keyof Error | 'code' | 'data' | 'kind']?: unknown }
  return {
    name: `${name}`,
    message: `${message}`.slice(0, maxThrownChars),
    ...given({
      code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
      data: jsonOf(data),
      kind: error instanceof BeckonError ? `${kind}` : undefined,
    }),
  }
}

/** What tells one failure from another, of something that is too large to be kept. */
function pick(thrown: unknown): unknown {
  const { code, message } = Object(thrown)
  return { code, message: `${message ?? ''}`.slice(0, maxThrownChars / 2) }
}

/** Undefined for what has no JSON, or too much of it. */
function jsonOf(value: unknown): JsonValue | undefined {
  try {
    const text: string | undefined = JSON.stringify(value)
    return text !== undefined && text.length <= maxThrownChars ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
