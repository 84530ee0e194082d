import { afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { Clock } from './expiring-map.js'
import type { JsonValue } from './json.js'
import { memoryStore } from './memory-store.js'
import type { Expiry, Listener, SetMember, Store, Unsubscribe, Version } from './store.js'
import { type StoreSetup, testStore } from './test-store.js'

type Mutation = (store: Store, clock: Clock) => Partial<Store>

// One long table, each row a mistake that somebody could make in an adapter. It is one file because whatever is not a
// `.test.ts` would be published.
const mutations: Record<string, Mutation> = {
  'append puts nothing into sets': store => ({
    append: (log, entries, options) => store.append(log, entries, { ...options, puts: [] }),
  }),
  'append takes nothing out of sets': store => ({
    append: (log, entries, options) => store.append(log, entries, { ...options, removals: [] }),
  }),
  'append takes members out although something else came first': store => ({
    async append(log, entries, options) {
      for (const { set, member } of options?.removals ?? []) await store.remove(set, member)
      return store.append(log, entries, options)
    },
  }),
  'append takes members out before it puts others': store => ({
    async append(log, entries, options) {
      const last = await store.append(log, entries, { ...options, puts: [] })
      for (const { set, member, score, expiresAt } of (last && options?.puts) || [])
        await store.put(set, member, score, { expiresAt })
      return last
    },
  }),
  'append puts members for good': store => ({
    append: (log, entries, options) =>
      store.append(log, entries, { ...options, puts: options?.puts?.map(put => ({ ...put, expiresAt: undefined })) }),
  }),
  'append changes no set when it adds nothing': store => ({
    append: (log, entries, options) =>
      store.append(log, entries, entries.length > 0 ? options : { after: options?.after }),
  }),
  'an append with names is overtaken': store => ({
    async append(log, entries, options) {
      if (options?.puts !== undefined) await store.count('set', { upTo: 1 })
      return store.append(log, entries, options)
    },
  }),
  'append appends, then looks at its names': store => ({
    async append(log, entries, options) {
      const { puts, removals, ...rest } = options ?? {}
      const last = await store.append(log, entries, rest)
      if (last !== undefined) await store.append('of names', [], { puts, removals })
      return last
    },
  }),
  'compareAndSet always succeeds': store => ({
    async compareAndSet(key, _version, value, options) {
      await store.set(key, value, options)
      return (await store.get(key))?.version ?? 'gone'
    },
  }),
  'compareAndSet reads, then writes': store => ({
    async compareAndSet(key, version, value, options) {
      if ((await store.get(key))?.version !== version) return undefined
      await store.set(key, value, options)
      return (await store.get(key))?.version ?? 'gone'
    },
  }),
  'compareAndSet gives the old version': store => ({
    async compareAndSet(key, version, value, options) {
      const done = await store.compareAndSet(key, version, value, options)
      return done && (version ?? done)
    },
  }),
  'compareAndSet takes undefined for any version': store => ({
    async compareAndSet(key, version, value, options) {
      return store.compareAndSet(key, version ?? (await store.get(key))?.version, value, options)
    },
  }),
  'compareAndSet creates an absent key with any version': store => ({
    async compareAndSet(key, version, value, options) {
      return store.compareAndSet(key, (await store.get(key)) && version, value, options)
    },
  }),
  'compareAndSet ignores expiresAt': store => ({
    compareAndSet: (key, version, value) => store.compareAndSet(key, version, value),
  }),
  'a version is a digest of the value': store => versioned(store, (_count, value) => JSON.stringify(value)),
  'versions start again after a delete': store => versioned(store, count => count),
  'set refuses a key that is there': store => ({
    async set(key, value, options) {
      if (await store.get(key)) throw new Error('there already')
      await store.set(key, value, options)
    },
  }),
  'set refuses an expiry past the year 9999': store => ({
    async set(key, value, options) {
      if ((options?.expiresAt ?? 0) > 253_402_300_799_999) throw new Error('out of range')
      await store.set(key, value, options)
    },
  }),
  'set keeps the expiry that was there': store => {
    const expiries = new Map<string, number | undefined>()
    return {
      set(key, value, options) {
        const expiresAt = options?.expiresAt ?? expiries.get(key)
        expiries.set(key, expiresAt)
        return store.set(key, value, { expiresAt })
      },
    }
  },
  'set ignores an expiry of 0': store => ({
    set: (key, value, options) => store.set(key, value, { expiresAt: options?.expiresAt || undefined }),
  }),
  'set expires a millisecond late': store => ({
    set: (key, value, options) => store.set(key, value, shifted(options, 1)),
  }),
  'set expires a millisecond early': store => ({
    set: (key, value, options) => store.set(key, value, shifted(options, -1)),
  }),
  'set ignores an expiry that has passed': (store, clock) => ({
    async set(key, value, options) {
      if ((options?.expiresAt ?? clock.now() + 1) > clock.now()) await store.set(key, value, options)
    },
  }),
  'set skips a value that is there already': store => ({
    async set(key, value, options) {
      const there = await store.get(key)
      if (!there || JSON.stringify(there.value) !== JSON.stringify(value)) await store.set(key, value, options)
    },
  }),
  'set takes its value late': store => ({
    async set(key, value, options) {
      await Promise.resolve()
      await store.set(key, value, options)
    },
  }),
  'set takes undefined for null': store => ({ set: (key, value, options) => store.set(key, value ?? null, options) }),
  'sets overtake each other': store => {
    let calls = 0
    return {
      async set(key, value, options) {
        const copy = structuredClone(value)
        for (let turn = calls++ % 8; turn < 8; turn++) await Promise.resolve()
        await store.set(key, copy, options)
      },
    }
  },
  'get gives everybody the same object': store => {
    const given = new Map<Version, JsonValue>()
    return {
      async get(key) {
        const entry = await store.get(key)
        if (!entry) return undefined
        given.set(entry.version, given.get(entry.version) ?? entry.value)
        return { ...entry, value: given.get(entry.version) ?? null }
      },
    }
  },
  'get takes null for absent': store => ({
    async get(key) {
      const entry = await store.get(key)
      return entry?.value === null ? undefined : entry
    },
  }),
  'get reads strings as JSON': store =>
    changingValues(store, value => {
      try {
        return typeof value === 'string' ? JSON.parse(value) : value
      } catch {
        return value
      }
    }),
  'get takes an empty array for an empty object': store =>
    changingValues(store, value => (Array.isArray(value) && value.length === 0 ? {} : value)),
  'get sorts properties': store =>
    changingValues(store, value =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  'get loses lone surrogates': store =>
    changingValues(store, value => JSON.parse(JSON.stringify(value).replaceAll(/\\ud[89a-f]../g, '\ufffd'))),
  'get loses what follows a NUL': store =>
    changingValues(store, value => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''))),
  'values are cut at 64 KB': store =>
    changingValues(store, value => (typeof value === 'string' ? value.slice(0, 65_536) : value)),
  'delete always says true': store => ({
    async delete(key) {
      await store.delete(key)
      return true
    },
  }),
  'delete reads, then deletes': store => ({
    async delete(key) {
      const found = (await store.get(key)) !== undefined
      await store.delete(key)
      return found
    },
  }),
  'delete erases the log of that name': store => ({
    async delete(key) {
      await store.erase(key)
      return store.delete(key)
    },
  }),
  'append adds one by one': store => ({
    async append(log, entries, options) {
      let last = await store.append(log, [], options)
      if (last === undefined) return undefined
      for (const entry of structuredClone(entries))
        last = await store.append(log, [entry], { expiresAt: options?.expiresAt })
      return last
    },
  }),
  'append ignores after': store => ({
    append: (log, entries, options) => store.append(log, entries, { expiresAt: options?.expiresAt }),
  }),
  'append reads the last number, then adds': store => ({
    async append(log, entries, options) {
      const last = await store.append(log, [])
      if (options?.after !== undefined && options.after !== last) return undefined
      return store.append(log, entries, { expiresAt: options?.expiresAt })
    },
  }),
  'append gives the number of entries': store => ({
    async append(log, entries, options) {
      return (await store.append(log, entries, options)) && entries.length
    },
  }),
  'append gives 0 when after is wrong': store => ({
    async append(log, entries, options) {
      return (await store.append(log, entries, options)) ?? 0
    },
  }),
  'append never moves the expiry': store => ({
    async append(log, entries, options) {
      const begins = (await store.read(log, { limit: 1 })).length === 0
      return store.append(log, entries, begins ? options : { after: options?.after })
    },
  }),
  'append without an expiry keeps the log for good': store => ({
    append: (log, entries, options) => store.append(log, entries, { expiresAt: 1e15, ...options }),
  }),
  'append of nothing begins a log': store => {
    const begun = new Set<string>()
    return {
      async append(log, entries, options) {
        begun.add(log)
        return store.append(log, entries, options)
      },
      async erase(log) {
        return (await store.erase(log)) || begun.delete(log)
      },
    }
  },
  'append drops an entry that is there already': store => ({
    async append(log, entries, options) {
      const there = (await store.read(log)).map(entry => JSON.stringify(entry.value))
      return store.append(
        log,
        entries.filter(entry => !there.includes(JSON.stringify(entry))),
        options,
      )
    },
  }),
  'numbering goes on after an erase': store => {
    const offsets = new Map<string, number>()
    return {
      async erase(log) {
        offsets.set(log, (await store.append(log, [])) ?? 0)
        return store.erase(log)
      },
      async append(log, entries, options) {
        const last = await store.append(log, entries, options)
        return last && last + (offsets.get(log) ?? 0)
      },
    }
  },
  'erase always says true': store => ({
    async erase(log) {
      await store.erase(log)
      return true
    },
  }),
  'read includes the number it is after': store => ({
    read: (log, options) => store.read(log, { ...options, after: options?.after && options.after - 1 }),
  }),
  'read takes a limit of 0 for none': store => ({
    read: (log, options) => store.read(log, { ...options, limit: options?.limit || undefined }),
  }),
  'read gives the last ones up to the limit': store => ({
    async read(log, options) {
      const all = await store.read(log, { after: options?.after })
      return options?.limit === undefined ? all : all.slice(Math.max(0, all.length - options.limit))
    },
  }),
  'read stops at 1,000 entries': store => ({
    read: (log, options) => store.read(log, { ...options, limit: Math.min(options?.limit ?? 1_000, 1_000) }),
  }),
  'read fails on an absent log': store => ({
    async read(log, options) {
      if ((await store.append(log, [])) === 0) throw new Error('absent')
      return store.read(log, options)
    },
  }),
  'read goes backwards': store => ({ read: async (log, options) => (await store.read(log, options)).toReversed() }),
  'read numbers what it gives': store => ({
    read: async (log, options) =>
      (await store.read(log, options)).map((entry, index) => ({ ...entry, seq: index + 1 })),
  }),
  'read takes any number': store => ({
    read: (log, options) =>
      store.read(log, { ...options, limit: Math.max(0, Math.floor(options?.limit || 0)) || undefined }),
  }),
  'trim starts the numbers again': store => ({
    async trim(log, upTo) {
      const left = (await store.read(log)).filter(entry => entry.seq > upTo)
      await store.erase(log)
      await store.append(
        log,
        left.map(entry => entry.value),
      )
    },
  }),
  'trim of everything erases the log': store => ({
    async trim(log, upTo) {
      await store.trim(log, upTo)
      if ((await store.read(log, { limit: 1 })).length === 0) await store.erase(log)
    },
  }),
  'trim leaves its own number': store => ({ trim: (log, upTo) => store.trim(log, Math.max(upTo - 1, 0)) }),
  'trim takes one more': store => ({ trim: (log, upTo) => store.trim(log, upTo && upTo + 1) }),
  'trim takes any number': store => ({
    trim: (log, upTo) => store.trim(log, Math.min(Math.max(0, Math.floor(upTo) || 0), 1e9)),
  }),
  'trim begins a log': store => {
    const begun = new Set<string>()
    return {
      async trim(log, upTo) {
        begun.add(log)
        await store.trim(log, upTo)
      },
      async erase(log) {
        return (await store.erase(log)) || begun.delete(log)
      },
    }
  },
  'trim forgets what comes later': store => {
    const trimmed = new Map<string, number>()
    return {
      async trim(log, upTo) {
        await store.trim(log, upTo)
        trimmed.set(log, Math.max(upTo, trimmed.get(log) ?? 0))
      },
      read: (log, options) =>
        store.read(log, { ...options, after: Math.max(options?.after ?? 0, trimmed.get(log) ?? 0) }),
    }
  },
  'trim keeps the log for good': store => ({
    async trim(log, upTo) {
      await store.trim(log, upTo)
      await store.append(log, [], { expiresAt: 1e15 })
    },
  }),
  'trim reads, then writes again': store => ({
    async trim(log, upTo) {
      const last = (await store.append(log, [])) ?? 0
      const left = (await store.read(log)).filter(entry => entry.seq > upTo)
      await store.erase(log)
      if (last > 0)
        await store.append(log, [
          ...Array.from({ length: last - left.length }, () => null),
          ...left.map(entry => entry.value),
        ])
      await store.trim(log, last - left.length)
    },
  }),
  'trims overtake appends': store => ({
    async append(log, entries, options) {
      const copies = structuredClone(entries)
      for (let turn = 0; turn < 8; turn++) await Promise.resolve()
      return store.append(log, copies, options)
    },
  }),
  'append after counts what is left': store => ({
    async append(log, entries, options) {
      if (options?.after === undefined) return store.append(log, entries, options)
      if ((await store.read(log)).length !== options.after) return undefined
      return store.append(log, entries, { expiresAt: options.expiresAt })
    },
  }),
  'read after what was trimmed gives nothing': store => ({
    async read(log, options) {
      const [first] = await store.read(log, { limit: 1 })
      if (options?.after && first && options.after < first.seq - 1) return []
      return store.read(log, options)
    },
  }),
  'put ignores if': store => ({
    put: (set, member, score, options) => store.put(set, member, score, { expiresAt: options?.expiresAt }),
  }),
  'put if absent overwrites': store => ({
    async put(set, member, score, options) {
      const done = await store.put(set, member, score, options)
      if (options?.if === 'absent') await store.put(set, member, score)
      return done
    },
  }),
  'put if absent always says true': store => ({
    async put(set, member, score, options) {
      return (await store.put(set, member, score, options)) || options?.if === 'absent'
    },
  }),
  'put at a score of 0 asks for nothing': store => ({
    put: (set, member, score, options) => store.put(set, member, score, { ...options, if: options?.if || undefined }),
  }),
  'put at a score takes an absent member': store => ({
    async put(set, member, score, options) {
      if (await store.put(set, member, score, options)) return true
      return options?.if !== 'absent' && store.put(set, member, score, { ...options, if: 'absent' })
    },
  }),
  'put reads, then writes': store => ({
    async put(set, member, score, options) {
      const found = await scoreIn(store, set, member)
      if (options?.if !== undefined && found !== (options.if === 'absent' ? undefined : options.if)) return false
      return store.put(set, member, score, { expiresAt: options?.expiresAt })
    },
  }),
  'put says whether the member is new': store => ({
    async put(set, member, score, options) {
      const found = options?.if === undefined && (await scoreIn(store, set, member)) !== undefined
      return (await store.put(set, member, score, options)) && !found
    },
  }),
  'put adds a member a second time': store => {
    const twice = new Map<string, SetMember[]>()
    return {
      async put(set, member, score, options) {
        const found = await scoreIn(store, set, member)
        if (found !== undefined && found !== score) twice.set(set, [{ member, score: found }])
        return store.put(set, member, score, options)
      },
      range: async (set, options) => [...(twice.get(set) ?? []), ...(await store.range(set, options))],
    }
  },
  'puts overtake each other': store => {
    let calls = 0
    return {
      async put(set, member, score, options) {
        for (let turn = calls++ % 8; turn < 8; turn++) await Promise.resolve()
        return store.put(set, member, score, options)
      },
    }
  },
  'put keeps a score to the thousandth': store => withScores(store, score => Math.round(score * 1_000) / 1_000),
  'put keeps a score in 32 bits': store => withScores(store, Math.fround),
  'put keeps -0': store => ({
    range: async (set, options) =>
      (await store.range(set, options)).map(({ member, score }) => ({ member, score: score === 0 ? -0 : score })),
  }),
  'put takes any score': store => withScores(store, score => (Number.isFinite(score) ? score : 0)),
  'put takes any member': store => withMembers(store, member => (/^[ -~]{1,256}$/.test(member) ? member : 'other')),
  'members are trimmed': store =>
    withMembers(store, member => (typeof member === 'string' ? member.trim() || '_' : member)),
  'members are cut at 255 characters': store =>
    withMembers(store, member => (typeof member === 'string' && member.length === 256 ? member.slice(0, 255) : member)),
  'members are lower-cased': store =>
    withMembers(store, member => (typeof member === 'string' ? member.toLowerCase() : member)),
  'a member that is no string is a RangeError': store => ({
    async put(set, member, score, options) {
      if (typeof member !== 'string') throw new RangeError('no string')
      return store.put(set, member, score, options)
    },
  }),
  'put never moves the expiry': store => ({
    async put(set, member, score, options) {
      const begins = (await store.count(set, { upTo: 1 })) === 0
      return store.put(set, member, score, begins ? options : { if: options?.if })
    },
  }),
  'put without an expiry keeps the set for good': store => ({
    put: (set, member, score, options) => store.put(set, member, score, { expiresAt: 1e15, ...options }),
  }),
  'put moves the expiry also when it is refused': store => ({
    async put(set, member, score, options) {
      if (await store.put(set, member, score, options)) return true
      const [first] = await store.range(set, { limit: 1 })
      if (first) await store.put(set, first.member, first.score, { expiresAt: options?.expiresAt })
      return false
    },
  }),
  'put ignores an expiry that has passed': (store, clock) => ({
    put: (set, member, score, options) =>
      store.put(set, member, score, {
        if: options?.if,
        expiresAt: (options?.expiresAt ?? 0) > clock.now() ? options?.expiresAt : undefined,
      }),
  }),
  'put expires a millisecond late': store => ({
    put: (set, member, score, options) => store.put(set, member, score, { ...shifted(options, 1), if: options?.if }),
  }),
  'the expiry of a set outlives its members': store => {
    const expiries = new Map<string, number>()
    return {
      async put(set, member, score, options) {
        const expiresAt = options?.expiresAt ?? expiries.get(set)
        if (expiresAt !== undefined) expiries.set(set, expiresAt)
        return store.put(set, member, score, { ...options, expiresAt })
      },
    }
  },
  'each member expires by itself': (store, clock) => {
    const expiries = new Map<string, number>()
    return {
      async put(set, member, score, options) {
        expiries.set(`${set} ${member}`, options?.expiresAt ?? Number.POSITIVE_INFINITY)
        return store.put(set, member, score, { if: options?.if })
      },
      range: async (set, options) =>
        (await store.range(set, options)).filter(({ member }) => (expiries.get(`${set} ${member}`) ?? 0) > clock.now()),
    }
  },
  'remove always says true': store => ({
    async remove(set, member, options) {
      await store.remove(set, member, options)
      return true
    },
  }),
  'remove ignores if': store => ({ remove: (set, member) => store.remove(set, member) }),
  'remove at a score of 0 asks for nothing': store => ({
    remove: (set, member, options) => store.remove(set, member, { if: options?.if || undefined }),
  }),
  'remove reads, then removes': store => ({
    async remove(set, member, options) {
      const found = await scoreIn(store, set, member)
      await store.remove(set, member, options)
      return found !== undefined && (options?.if === undefined || found === options.if)
    },
  }),
  'remove empties the set': store => ({
    async remove(set, member, options) {
      const removed = await store.remove(set, member, options)
      if (removed) await store.put(set, 'any', 0, { expiresAt: 0 })
      return removed
    },
  }),
  'range sorts equal scores in the order of a language': store =>
    sortedBy(store, (a, b) => a.member.localeCompare(b.member, 'en')),
  'range sorts equal scores as numbers': store =>
    sortedBy(store, (a, b) => Number(a.member) - Number(b.member) || (a.member < b.member ? -1 : 1)),
  'range reverses the scores only': store => ({
    async range(set, options) {
      const all = await store.range(set, options)
      return options.reverse ? all.sort((a, b) => b.score - a.score || (a.member < b.member ? -1 : 1)) : all
    },
  }),
  'range includes its cursor': store => ({
    async range(set, { from, ...options }) {
      const score = from?.member === undefined ? undefined : await scoreIn(store, set, from.member)
      const found = await store.range(set, { ...options, from })
      return from?.member !== undefined && score === from.score ? [{ member: from.member, score }, ...found] : found
    },
  }),
  'range needs its cursor to be there': store => ({
    async range(set, options) {
      const { from } = options
      if (from?.member !== undefined && (await scoreIn(store, set, from.member)) !== from.score) return []
      return store.range(set, options)
    },
  }),
  'range goes on from the place of its cursor now': store => ({
    async range(set, { from, ...options }) {
      const score = from?.member === undefined ? undefined : await scoreIn(store, set, from.member)
      return store.range(set, { ...options, from: from && { ...from, score: score ?? from.score } })
    },
  }),
  'range takes a cursor for a score': store => ({
    range: (set, { from, ...options }) => store.range(set, { ...options, from: from && { score: from.score } }),
  }),
  'range leaves out its last score': store => ({
    range: async (set, options) => (await store.range(set, options)).filter(({ score }) => score !== options.to),
  }),
  'range leaves out its first score': store => ({
    range: (set, { from, ...options }) =>
      store.range(set, { ...options, from: from && { member: options.reverse ? ' ' : '~'.repeat(256), ...from } }),
  }),
  'range takes the lower score for from, whatever the direction': store => ({
    range(set, { from, to, ...options }) {
      if (!options.reverse || from?.member !== undefined || !from || to === undefined)
        return store.range(set, { ...options, from, to })
      return store.range(set, { ...options, from: { score: Math.max(from.score, to) }, to: Math.min(from.score, to) })
    },
  }),
  'range takes a limit of 0 for none': store => ({
    range: (set, options) => store.range(set, { ...options, limit: options.limit === 0 ? 1e9 : options.limit }),
  }),
  'range limits before it reverses': store => ({
    async range(set, { reverse, limit, ...options }) {
      if (!reverse || options.from) return store.range(set, { ...options, reverse, limit })
      return (await store.range(set, { limit })).reverse()
    },
  }),
  'range takes any limit': store => ({
    range: (set, options) => store.range(set, { ...options, limit: Math.max(0, Math.floor(options.limit) || 0) }),
  }),
  'range stops at 100 members': store => ({
    range: (set, options) => store.range(set, { ...options, limit: Math.min(options.limit, 100) }),
  }),
  'range fails on an absent set': store => ({
    async range(set, options) {
      if ((await store.count(set, { upTo: 1 })) === 0) throw new Error('absent')
      return store.range(set, options)
    },
  }),
  'range loses equal scores between two pages': store => ({
    async range(set, { from, ...options }) {
      const found = await store.range(set, { ...options, from })
      return from?.member === undefined ? found : found.filter(({ score }) => score !== from.score)
    },
  }),
  'count never stops': store => ({
    async count(set, options) {
      await store.count(set, options)
      return store.count(set, { upTo: 1e9 })
    },
  }),
  'count takes 0 for no limit': store => ({ count: (set, { upTo }) => store.count(set, { upTo: upTo || 1e9 }) }),
  'sets and keys share their names': store => ({
    async delete(key) {
      const [first] = await store.range(key, { limit: 1 })
      if (first) await store.remove(key, first.member)
      return store.delete(key)
    },
  }),
  'names of sets are trimmed': store => ({
    put: (set, ...rest) => store.put(set.trim(), ...rest),
    range: (set, options) => store.range(set.trim(), options),
    remove: (set, ...rest) => store.remove(set.trim(), ...rest),
    count: (set, options) => store.count(set.trim(), options),
  }),
  'names are trimmed': store => renamed(store, name => name.trim()),
  'names are lower-cased': store => renamed(store, name => name.toLowerCase()),
  'names are normalised': store => renamed(store, name => name.normalize('NFC')),
  'names are UTF-8': store => renamed(store, name => Buffer.from(name).toString()),
  'names end at NUL': store => renamed(store, name => name.split('\0')[0] ?? ''),
  'names are cut at 1,000 characters': store => renamed(store, name => name.slice(0, 1_000)),
  'names are patterns': store => renamed(store, name => name.replaceAll('*', '?')),
  'names are numbers where they can be': store =>
    renamed(store, name => (name.trim() && !Number.isNaN(+name) ? `${+name}` : name)),
  'the empty name is refused': store =>
    renamed(store, name => {
      if (name === '') throw new Error('empty')
      return name
    }),
  'names are properties': store => {
    const values: Record<string, JsonValue> = {}
    return {
      async set(key, value, options) {
        values[key] = value
        await store.set(key, value, options)
      },
      async get(key) {
        return key in values ? ((await store.get(key)) ?? { value: String(values[key]), version: 0 }) : store.get(key)
      },
    }
  },
  'publish reaches nobody': () => ({ publish: async () => {} }),
  'publish fails when nobody listens': store => {
    const topics = new Set<string>()
    return {
      async publish(topic, message) {
        if (!topics.has(topic)) throw new Error('no such topic')
        await store.publish(topic, message)
      },
      subscribe(topic, listener) {
        topics.add(topic)
        return store.subscribe(topic, listener)
      },
    }
  },
  'publish delivers twice': store => ({
    async publish(topic, message) {
      await store.publish(topic, message)
      await store.publish(topic, message)
    },
  }),
  'messages overtake each other': store => {
    let calls = 0
    return {
      async publish(topic, message) {
        const copy = structuredClone(message)
        for (let turn = calls++ % 8; turn < 8; turn++) await Promise.resolve()
        await store.publish(topic, copy)
      },
    }
  },
  'publish takes a message of any length': store => ({
    publish: (topic, message) => store.publish(topic, JSON.stringify(message)?.length > 2_000 ? 'long' : message),
  }),
  'publish refuses 1,000 characters': store => ({
    async publish(topic, message) {
      if (JSON.stringify(message)?.length > 1_000) throw new RangeError('too long')
      await store.publish(topic, message)
    },
  }),
  'listeners are called at once, and share the message': () => eventEmitter({ catches: true, queues: false }),
  'listeners are called later, and share the message': () => eventEmitter({ catches: true, queues: true }),
  'a listener that throws stops the others': () => eventEmitter({ catches: false, queues: false }),
  'topics are one': store => ({
    publish: (_topic, message) => store.publish('', message),
    subscribe: (_topic, listener) => store.subscribe('', listener),
  }),
  'a listener is subscribed only once': store => {
    const known = new Map<Listener, Promise<Unsubscribe>>()
    return {
      subscribe(topic, listener) {
        const there = known.get(listener) ?? store.subscribe(topic, listener)
        known.set(listener, there)
        return there
      },
    }
  },
  'subscribe repeats the last message': store => {
    const last = new Map<string, JsonValue>()
    return {
      async publish(topic, message) {
        await store.publish(topic, message)
        last.set(topic, message)
      },
      async subscribe(topic, listener) {
        const message = last.get(topic)
        if (message !== undefined) listener(message)
        return store.subscribe(topic, listener)
      },
    }
  },
  'unsubscribe does nothing': store => ({
    async subscribe(topic, listener) {
      await store.subscribe(topic, listener)
      return async () => {}
    },
  }),
  'unsubscribe twice fails': store => ({
    async subscribe(topic, listener) {
      let unsubscribe: Unsubscribe | undefined = await store.subscribe(topic, listener)
      return async () => {
        if (!unsubscribe) throw new Error('unsubscribed already')
        await unsubscribe()
        unsubscribe = undefined
      }
    },
  }),
  'close does nothing': () => ({ close: async () => {} }),
  'close twice fails': store => {
    let closed = false
    return {
      async close() {
        if (closed) throw new Error('closed already')
        closed = true
        await store.close()
      },
    }
  },
  'a message arrives after the store was closed': store => ({
    subscribe: (topic, listener) => store.subscribe(topic, message => void setTimeout(attempt, 5, listener, message)),
  }),
  'a closed store throws': store => {
    let closed = false
    return {
      async close() {
        closed = true
        await store.close()
      },
      get(key) {
        if (closed) throw new Error('closed')
        return store.get(key)
      },
    }
  },
  'a closed store still reads': store => {
    let closed = false
    return {
      async close() {
        closed = true
        await store.close()
      },
      read: async (log, options) => (closed ? [] : store.read(log, options)),
    }
  },
  'says that it is shared': () => ({ shared: true }),
}

const sharedMutations: Record<string, Mutation> = {
  'says that it is not shared': () => ({ shared: false }),
  'closes what others use': store => ({ close: () => store.close() }),
  'tells other handles nothing': () => eventEmitter({ catches: true, queues: true }),
  'keeps data to itself': () => ({ ...memoryStore(), shared: true }),
  'reads from a copy': store => {
    const copies = new Map<string, Awaited<ReturnType<Store['get']>>>()
    return {
      async get(key) {
        copies.set(key, copies.get(key) ?? (await store.get(key)))
        return copies.get(key)
      },
    }
  },
}

testStore('two handles on one store', () => setupTwo(store => store), { test })

describe('testStore', () => {
  const silent = new Set<string>()

  beforeAll(() => {
    testStore('mutant', () => setupOne(store => store), { test: title => silent.add(title) })
  })

  beforeEach(() => {
    // A message that does not come is waited for in no time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(console, 'info').mockImplementation(() => {})
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('finds nothing wrong with the memory store', async () => {
    expect(await failuresOf(() => setupOne(store => store))).toEqual([])
    expect(await failuresOf(() => setupTwo(store => store))).toEqual([])
  })

  it.each(Object.entries(mutations))('finds out when %s', async (_name, mutation) => {
    const failures = await failuresOf(() => setupOne((store, clock) => ({ ...store, ...mutation(store, clock) })))
    expect(failures).not.toEqual([])
    for (const title of failures) silent.delete(title)
  })

  it.each(Object.entries(sharedMutations))('finds out when a shared store %s', async (_name, mutation) => {
    const failures = await failuresOf(() =>
      setupTwo((handle, base, clock) => ({ ...handle, ...mutation(base, clock) })),
    )
    expect(failures).not.toEqual([])
    for (const title of failures) silent.delete(title)
  })

  it('has no case that never finds anything', () => {
    expect([...silent]).toEqual([])
  })
})

/** The titles of the cases that fail, all run at once. */
async function failuresOf(setup: () => StoreSetup): Promise<string[]> {
  const failures: string[] = []
  const runs: Promise<void>[] = []
  testStore('mutant', setup, { test: (title, run) => runs.push(run().catch(() => void failures.push(title))) })
  let running = true
  const all = Promise.all(runs).finally(() => {
    running = false
  })
  while (running) await vi.advanceTimersByTimeAsync(10)
  await all
  return failures
}

function setupOne(change: (store: Store, clock: Clock) => Store): StoreSetup {
  const clock = manualClock()
  const base = memoryStore({ clock })
  return { store: change(base, clock), clock, teardown: () => base.close() }
}

function setupTwo(change: (handle: Store, base: Store, clock: Clock) => Store): StoreSetup {
  const clock = manualClock()
  const base = memoryStore({ clock })
  const store = change(handleOn(base), base, clock)
  const second = change(handleOn(base), base, clock)
  return { store, second, clock, teardown: () => base.close() }
}

/** What another process would have: the same data, with an end of its own. */
function handleOn(base: Store): Store {
  const subscriptions: Unsubscribe[] = []
  let closed = false
  const whileOpen =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (closed) throw new Error('closed')
      return method(...args)
    }
  return {
    shared: true,
    get: whileOpen(base.get),
    set: whileOpen(base.set),
    delete: whileOpen(base.delete),
    compareAndSet: whileOpen(base.compareAndSet),
    append: whileOpen(base.append),
    read: whileOpen(base.read),
    trim: whileOpen(base.trim),
    erase: whileOpen(base.erase),
    put: whileOpen(base.put),
    remove: whileOpen(base.remove),
    range: whileOpen(base.range),
    count: whileOpen(base.count),
    publish: whileOpen(base.publish),
    subscribe: whileOpen(async (topic, listener) => {
      const unsubscribe = await base.subscribe(topic, listener)
      subscriptions.push(unsubscribe)
      return unsubscribe
    }),
    async close() {
      closed = true
      for (const unsubscribe of subscriptions) await unsubscribe()
    },
  }
}

function manualClock(): Clock & { advance(ms: number): void } {
  let time = 1_000_000
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}

function shifted(options: Expiry | undefined, ms: number): Expiry {
  return { expiresAt: options?.expiresAt === undefined ? undefined : options.expiresAt + ms }
}

/** A store whose versions come from how often a key was written since it was made, and its value. */
function versioned(store: Store, versionOf: (count: number, value: JsonValue) => Version): Partial<Store> {
  const counts = new Map<string, number>()
  const count = (key: string): number => counts.get(key) ?? 0
  return {
    set(key, value, options) {
      counts.set(key, count(key) + 1)
      return store.set(key, value, options)
    },
    async get(key) {
      const entry = await store.get(key)
      return entry && { value: entry.value, version: versionOf(count(key), entry.value) }
    },
    delete(key) {
      counts.delete(key)
      return store.delete(key)
    },
    async compareAndSet(key, version, value, options) {
      const entry = await store.get(key)
      if ((entry && versionOf(count(key), entry.value)) !== version) return undefined
      if ((await store.compareAndSet(key, entry?.version, value, options)) === undefined) return undefined
      counts.set(key, count(key) + 1)
      return versionOf(count(key), value)
    },
  }
}

function changingValues(store: Store, change: (value: JsonValue) => JsonValue): Partial<Store> {
  return {
    async get(key) {
      const entry = await store.get(key)
      return entry && { ...entry, value: change(entry.value) }
    },
  }
}

function renamed(store: Store, rename: (name: string) => string): Partial<Store> {
  return {
    get: async key => store.get(rename(key)),
    set: async (key, value, options) => store.set(rename(key), value, options),
    delete: async key => store.delete(rename(key)),
  }
}

async function scoreIn(store: Store, set: string, member: string): Promise<number | undefined> {
  return (await store.range(set, { limit: 1e9 })).find(other => other.member === member)?.score
}

function withScores(store: Store, change: (score: number) => number): Partial<Store> {
  return {
    put: async (set, member, score, options) => store.put(set, member, change(score), options),
  }
}

function withMembers(store: Store, change: (member: string) => string): Partial<Store> {
  return {
    put: async (set, member, score, options) => store.put(set, change(member), score, options),
    remove: async (set, member, options) => store.remove(set, change(member), options),
  }
}

/** A store that has another order within equal scores. */
function sortedBy(store: Store, compare: (a: SetMember, b: SetMember) => number): Partial<Store> {
  return {
    async range(set, options) {
      const direction = options.reverse ? -1 : 1
      const found = await store.range(set, options)
      return found.sort((a, b) => direction * (a.score - b.score || compare(a, b)))
    },
  }
}

function attempt(listener: Listener, message: JsonValue): void {
  try {
    listener(message)
  } catch {}
}

/** Topics in the way of Node's EventEmitter. */
function eventEmitter({ catches, queues }: { catches: boolean; queues: boolean }): Partial<Store> {
  const topics = new Map<string, Listener[]>()
  return {
    async publish(topic, message) {
      const send = (): void => {
        for (const listener of topics.get(topic) ?? []) {
          if (catches) attempt(listener, message)
          else listener(message)
        }
      }
      if (queues) queueMicrotask(send)
      else send()
    },
    async subscribe(topic, listener) {
      topics.set(topic, [...(topics.get(topic) ?? []), listener])
      return async () => {
        topics.set(topic, topics.get(topic)?.filter(other => other !== listener) ?? [])
      }
    },
  }
}
