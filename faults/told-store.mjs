// The store of a process under test, which tells of what goes to the logs of calls and can lose an acknowledgement.
import { StoreUnavailableError, sealedStore } from 'beckon/store'
import { appendedIn } from './lines.mjs'

/** @typedef {import('beckon/store').Store} Store */
/** @typedef {import('beckon/store').JsonValue} JsonValue */
/** @typedef {import('./journals.mjs').Line} Line */

/**
 * An acknowledgement that is lost: of the next append that has such an event, or of `any`. With `lateMs`, it is lost before the
 * append takes effect.
 * @typedef {{ kind: string, lateMs: number }} LostAck
 */

/** @typedef {(what: 'log' | 'wrote' | 'lost' | 'busy', id: string) => Promise<void>} Tell */

/** What one process may do with the log of one call in one second: much more than any call needs, and less than a loop does. */
const mostInASecond = 400

/** @param {string} log */
const isCallLog = log => log.startsWith('faults/call/')

/**
 * @param {Store} store
 * @param {Tell} tell
 * @param {LostAck[]} toLose taken from while there are any
 * @returns {Store}
 */
export function toldStore(store, tell, toLose) {
  const open = openerWith(store)
  const count = counter(tell)

  /** @type {Store['append']} */
  async function append(log, entries, options) {
    count(log)
    if (!isCallLog(log) || entries.length === 0) return store.append(log, entries, options)
    const lines = /** @type {Line[]} */ (appendedIn(await Promise.all(entries.map(entry => open(log, entry)))))
    // Before it is written: nobody could find all logs afterwards, nor who wrote what.
    await Promise.all([tell('wrote', lines[0]?.w ?? ''), options?.after === 0 ? tell('log', log) : undefined])
    const index = toLose.findIndex(({ kind }) => kind === 'any' || lines.some(({ e }) => e.kind === kind))
    const [lost] = index < 0 ? [] : toLose.splice(index, 1)
    if (lost === undefined) return store.append(log, entries, options)
    const appended = lost.lateMs > 0 ? late(lost.lateMs, () => store.append(log, entries, options)) : undefined
    const at = appended === undefined ? await store.append(log, entries, options) : 0
    // One that was refused is no news to lose.
    if (at === undefined) return at
    await tell('lost', `${lines.map(({ e }) => e.kind).join('+')} in ${log}`)
    throw new StoreUnavailableError('The store under test', undefined)
  }

  return {
    ...store,
    append,
    read(log, options) {
      count(log)
      return store.read(log, options)
    },
  }
}

/**
 * @param {number} ms
 * @param {() => Promise<unknown>} task
 */
function late(ms, task) {
  return new Promise(resolve => setTimeout(() => task().then(resolve, resolve), ms))
}

/**
 * What is written comes sealed: it is opened as if it had been read, by a number of its own.
 * @param {Store} store
 * @returns {(log: string, value: JsonValue) => Promise<JsonValue | undefined>}
 */
export function openerWith(store) {
  /** @type {Map<number | undefined, JsonValue>} */
  const sealed = new Map()
  let reads = 0
  const opened = sealedStore({
    ...store,
    read: async (_, options) => [{ seq: 1, value: sealed.get(options?.after) ?? null }],
  })
  return async (log, value) => {
    const after = ++reads
    sealed.set(after, value)
    const [entry] = await opened.read(log, { after })
    sealed.delete(after)
    return entry?.value
  }
}

/**
 * Counts what is done with each log in a second, and tells of too much.
 * @param {Tell} tell
 */
function counter(tell) {
  /** @type {Map<string, number>} */
  let counts = new Map()
  let since = 0
  return (/** @type {string} */ log) => {
    if (!isCallLog(log)) return
    if (Date.now() - since > 1_000) {
      counts = new Map()
      since = Date.now()
    }
    const times = (counts.get(log) ?? 0) + 1
    counts.set(log, times)
    if (times === mostInASecond) void tell('busy', log).catch(() => {})
  }
}
