// Threat: what one server knows of a person is taken for what another one knows, since both keep it in one store under the
// same name. A server gets the store with a beginning for every name that is its own: whatever is kept through it, now or by
// a middleware of tomorrow, no other server finds.
import { digest } from '../crypto/digest.js'
import type { AppendOptions, Store } from './store.js'

/** Whose part of a store: one server's, that of servers which all say that they share what they know of people, or the desk's. */
export type StoreScope = { readonly server: string } | { readonly people: string } | { readonly desk: true }

/** The part of a store that has a scope's names. Topics are names, too. */
export function scopedStore(store: Store, scope: StoreScope): Store {
  const prefix = prefixOf(scope)
  const named =
    <A extends unknown[], R>(method: (name: string, ...args: A) => R) =>
    (name: string, ...args: A): R =>
      method(`${prefix}${name}`, ...args)
  return {
    shared: store.shared,
    get: named(store.get),
    set: named(store.set),
    delete: named(store.delete),
    compareAndSet: named(store.compareAndSet),
    append: (log, entries, options) => store.append(`${prefix}${log}`, entries, options && withPrefix(options, prefix)),
    read: named(store.read),
    trim: named(store.trim),
    erase: named(store.erase),
    put: named(store.put),
    remove: named(store.remove),
    range: named(store.range),
    count: named(store.count),
    publish: named(store.publish),
    subscribe: named(store.subscribe),
    close: () => store.close(),
  }
}

/** An append names the sets that it changes. */
function withPrefix(options: AppendOptions, prefix: string): AppendOptions {
  const { after, expiresAt, puts, removals } = options
  if (puts === undefined && removals === undefined) return options
  return {
    after,
    expiresAt,
    puts: puts?.map(put => ({ ...put, set: `${prefix}${put.set}` })),
    removals: removals?.map(({ set, member }) => ({ set: `${prefix}${set}`, member })),
  }
}

/** No scope's beginning is that of another: names that are not plain are hashed, and `+` and `~` are in no plain one. */
function prefixOf(scope: StoreScope): string {
  if ('desk' in scope) return `${deskName}/`
  return 'server' in scope ? `${plain(scope.server)}/` : `+${plain(scope.people)}/`
}

/** A server may have this name, too: then it is hashed. */
const deskName = 'desk'

function plain(name: string): string {
  return /^[\w.-]{1,128}$/.test(name) && name !== deskName ? name : `~${digest(name)}`
}
