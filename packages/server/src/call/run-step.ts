import { CallCancelledError } from '@beckon/core'
import { isMap, isSet } from '#platform'
import { digest } from '../crypto/digest.js'
import { never } from '../runtime/never.js'
import type { JsonValue } from '../store/index.js'
import type { Journal, StepEntry } from './journal.js'

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

/** Runs a step that the journal does not have, and remembers its result. Never settles in a call that was dropped. */
export async function runStep<R>(
  call: Stepping,
  { name, nth }: Pick<StepEntry, 'name' | 'nth'>,
  fn: (step: { id: string }) => R | Promise<R>,
): Promise<StepEntry> {
  const from = call.journal.reach
  const claiming = claim(call)
  if (claiming !== undefined) await claiming
  if (call.isDropped) return never()
  const result = await enter(call, name, () => fn({ id: digest([call.id, name, nth]) }))
  if (call.isDropped) return never()
  const entry: StepEntry = { kind: 'step', name, nth, from, result: toJson(name, result) }
  await record(call, entry)
  if (call.isDropped) return never()
  return entry
}

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
