// The store of a desk under test: it counts what is asked of it, loses acknowledgements, and ends its process between the two
// writes of the index.
import { StoreUnavailableError } from 'beckon/store'
import { appendedIn } from '../lines.mjs'
import { openerWith } from '../told-store.mjs'

/** @typedef {import('beckon/store').Store} Store */

/**
 * An order to a process under test. `lose`: the acknowledgement of the next append to a session that has such an event, or of
 * `any`, or of the next `name`; with `lateMs`, before it takes effect. `crash`: the process ends once a name was put and
 * before its append, or after the append that ends an ask and before the names are removed.
 * @typedef {{ what: 'lose', kind: string, lateMs: number } | { what: 'crash', after: 'put' | 'append' }} Hurt
 */

/** @param {string} log */
const isSession = log => log.startsWith('desk/session/')
/** @param {string} set */
const isOpenSet = set => set.startsWith('desk/open/')

/**
 * @param {Store} store
 * @param {object} options
 * @param {Hurt[]} options.hurts taken from while there are any
 * @param {(what: string) => void} options.onLost
 * @param {() => void} options.onOperation
 * @param {() => void} options.die
 * @returns {Store}
 */
export function hurtStore(store, { hurts, onLost, onOperation, die }) {
  const open = openerWith(store)
  const counted = /** @type {Store} */ (
    Object.fromEntries(
      Object.entries(store).map(([name, member]) => {
        if (typeof member !== 'function') return [name, member]
        /** @param {unknown[]} args */
        const count = (...args) => {
          onOperation()
          return /** @type {Function} */ (member).apply(store, args)
        }
        return [name, count]
      }),
    )
  )

  /** @param {(hurt: Hurt) => boolean} isMeant */
  function take(isMeant) {
    const index = hurts.findIndex(isMeant)
    return index < 0 ? undefined : hurts.splice(index, 1)[0]
  }

  /**
   * @template T
   * @param {Hurt} lost
   * @param {string} what
   * @param {() => Promise<T>} task
   * @returns {Promise<T>}
   */
  async function lose(lost, what, task) {
    if (lost.what === 'lose' && lost.lateMs > 0) setTimeout(() => void task().catch(() => {}), lost.lateMs)
    else {
      const done = await task()
      // One that was refused is no news to lose.
      if (done === undefined && what.startsWith('append')) return done
    }
    onLost(what)
    throw new StoreUnavailableError('The store under test', undefined)
  }

  /** @type {Store['append']} */
  async function append(log, entries, options) {
    if (!isSession(log)) return counted.append(log, entries, options)
    const lines = /** @type {{ e?: { type: string } }[]} */ (
      appendedIn(await Promise.all(entries.map(entry => open(log, entry))))
    )
    const types = lines.flatMap(({ e }) => (e === undefined ? [] : [e.type]))
    const lost = take(hurt => hurt.what === 'lose' && (hurt.kind === 'any' || types.includes(hurt.kind)))
    if (lost !== undefined)
      return lose(lost, `append ${types.join('+')} to ${log}`, () => counted.append(log, entries, options))
    const at = await counted.append(log, entries, options)
    if (
      at !== undefined &&
      types.includes('askEnded') &&
      take(hurt => hurt.what === 'crash' && hurt.after === 'append')
    )
      die()
    return at
  }

  /** @type {Store['put']} */
  async function put(set, member, score, options) {
    const lost = isOpenSet(set) ? take(hurt => hurt.what === 'lose' && hurt.kind === 'name') : undefined
    if (lost !== undefined) return lose(lost, `put in ${set}`, () => counted.put(set, member, score, options))
    const done = await counted.put(set, member, score, options)
    if (isOpenSet(set) && take(hurt => hurt.what === 'crash' && hurt.after === 'put')) die()
    return done
  }

  return { ...counted, append, put }
}
