// The official SDK has a server built anew for every request over HTTP, and `asks(...)` with it: what has to outlive a
// request is kept here, once for the process, and found by the options that make a difference.

import { base64, describe } from '#platform'
import { digest } from '../crypto/digest.js'
import { type Key, randomKey } from '../crypto/seal.js'
import type { CallRecord, CallResponse } from '../log/events.js'
import type { Program } from '../runner/call-request.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { resumeJob } from '../server/answer-job.js'
import { createEngine, type Engine } from '../server/engine.js'
import { memoryStore } from '../store/memory-store.js'
import type { Store } from '../store/store.js'
import { type AnyHandler, argumentsIn, jobOf } from './job-of.js'
import type { AsksOptions } from './options.js'

/** Options are few in a process. A program that makes some up for each request loses the oldest of its calls. */
const maxEngines = 64

/** What is known of a store in this process. */
interface Known {
  readonly engines: BoundedMap<string, Engine>
  /** The handlers by server and name: another process may have left a call of theirs. */
  readonly handlers: Map<string, { readonly handler: AnyHandler; readonly options: AsksOptions }>
}

const knownByStore = new WeakMap<Store, Known>()
const objectNumbers = new WeakMap<object, number>()
let lastNumber = 0
let ownStore: Store | undefined
let ownKey: Key | undefined

/** The engine of every `asks` with these options. */
export function sharedEngine(options: AsksOptions): Engine {
  const { store = sharedStore(), info: { name, version } = { name: 'asks', version: '' } } = options
  const known = knownOf(store)
  const { engines, handlers } = known
  const keys = options.keys ?? (store.shared ? undefined : ownKeyOf())
  const id = engineId({ ...options, keys, info: { name, version } })
  const engine = engines.get(id) ?? createEngine({ ...options, store, keys, person: undefined }, version, name)
  engine.onResume(record => resume(engine, handlers, record))
  engines.set(id, engine)
  return engine
}

/** Has calls of a handler found that another process left. */
export function rememberHandler(engine: Engine, handler: AnyHandler, options: AsksOptions): void {
  if (options.name === undefined) return
  knownOf(options.store ?? sharedStore()).handlers.set(handlerKey(engine.name, options.name), { handler, options })
}

/** The store of every `asks` that was given none. */
function sharedStore(): Store {
  ownStore ??= memoryStore()
  return ownStore
}

function ownKeyOf(): Key {
  ownKey ??= randomKey()
  return ownKey
}

function knownOf(store: Store): Known {
  const known: Known = knownByStore.get(store) ?? {
    engines: new BoundedMap<string, Engine>({ max: maxEngines, onEvict: engine => void engine.close() }),
    handlers: new Map(),
  }
  knownByStore.set(store, known)
  return known
}

/** What makes a difference to an engine, as a text: values by what they say, a desk and a clock by which one they are. */
function engineId(options: AsksOptions): string {
  const { desk, clock, info, people, wait, whenGone, replay, onDeploy, quirks, allowHttp, retainMs, limits } = options
  const keys = options.keys && [options.keys].flat().map(key => base64(key))
  const values = { info, people, wait, whenGone, replay, onDeploy, quirks, allowHttp, retainMs, limits, keys }
  const which = [desk, clock].map(one => (typeof one === 'object' && isLive(one) ? numberOf(one) : one))
  return digest(describe([values, which]))
}

/** Something that does things, and is not a description. */
function isLive(value: object): boolean {
  return Object.values(value).some(member => typeof member === 'function') || !isPlain(value)
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}

function numberOf(value: object): number {
  const number = objectNumbers.get(value) ?? ++lastNumber
  objectNumbers.set(value, number)
  return number
}

/** How a call whose process is gone is run again, or why it is not. */
function resume(
  engine: Engine,
  handlers: Known['handlers'],
  record: CallRecord,
): Program<Record<string, unknown>> | CallResponse {
  const found = handlers.get(handlerKey(engine.name, record.target.name))
  if (found === undefined) return cannotGoOn(`there is no "${record.target.name}" here`)
  const { method } = record.target
  const job = jobOf(found.handler, argumentsIn(record.params), { method, name: undefined }, found.options)
  // A schema may have made something of the arguments that JSON does not carry.
  if (job.target.digest !== record.target.digest) return cannotGoOn('its arguments are more than JSON')
  return resumeJob(engine, job, record)
}

function cannotGoOn(reason: string): CallResponse {
  return { error: { code: -32603, message: `The call cannot go on: it cannot be run again: ${reason}.` } }
}

function handlerKey(server: string, name: string): string {
  return JSON.stringify([server, name])
}
