// What takes more than one command runs inside Redis, where nothing else runs meanwhile. Each script has one key, but for
// `beckonAppendAll`: a Cluster, whose keys are on several servers, does without that one.
//
// A script is sent with each call of it. Redis could be told its name alone, and has to be asked again where it has forgotten that:
// by then, what was called later has overtaken it.
import type { Cluster, Redis } from 'ioredis'
import { versionLength } from './entry.js'

// A log is a list. Its first element says how many entries were trimmed: so the numbers of entries go on. (A stream has
// numbers of its own, and takes three times the memory.)

interface AppendPlaces {
  readonly log: string
  readonly after: string
  readonly pxat: string
  /** Of the values among the arguments. */
  readonly first: string
  readonly last: string
}

/** Values that are added by one command: Lua hands on so many at once. */
const chunk = 1_000

// Appends the arguments between two places, unless the log has come further.
const append = ({ log, after, pxat, first, last }: AppendPlaces) => `
      local trimmed = tonumber(redis.call('LINDEX', ${log}, 0))
      local last = trimmed and trimmed + redis.call('LLEN', ${log}) - 1 or 0
      if ${after} ~= '' and tonumber(${after}) ~= last then return false end
      for index = ${first}, ${last}, ${chunk} do
        local to = math.min(index + ${chunk - 1}, ${last})
        if trimmed then redis.call('RPUSH', ${log}, unpack(ARGV, index, to))
        else redis.call('RPUSH', ${log}, 0, unpack(ARGV, index, to)) end
        trimmed = trimmed or 0
        last = last + to - index + 1
      end
      if ${pxat} ~= '' then redis.call('PEXPIREAT', ${log}, ${pxat}) end`

/** By their names, with how many keys each has where that is always the same. */
export const scripts: Record<string, { numberOfKeys?: 1; lua: string }> = {
  /** A version, what to write of it where there is none, or an earlier one, and the earliest that may be raised. Gives what is there then. */
  beckonSchema: {
    numberOfKeys: 1,
    lua: `
      local known = redis.call('GET', KEYS[1])
      local version = known and cjson.decode(known).version
      if known and (version >= tonumber(ARGV[1]) or version < tonumber(ARGV[3])) then return known end
      redis.call('SET', KEYS[1], ARGV[2])
      return ARGV[2]`,
  },

  /** Version or nothing, entry, `PXAT` or nothing. Gives 1 when the key was at the version, or absent without one. */
  beckonCompareAndSet: {
    numberOfKeys: 1,
    lua: `
      if redis.call('GETRANGE', KEYS[1], 0, ${versionLength - 1}) ~= ARGV[1] then return 0 end
      if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2])
      else redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3]) end
      return 1`,
  },

  /** What it comes after or nothing, `PXAT` or nothing, the values. Gives the last number; nothing when the log has come further. */
  beckonAppend: {
    numberOfKeys: 1,
    lua: `${append({ log: 'KEYS[1]', after: 'ARGV[1]', pxat: 'ARGV[2]', first: '3', last: '#ARGV' })}
      return last`,
  },

  /**
   * Any number of appends, one after the other: the key of each log, and behind it those of the sets that the append names. For
   * each, what `beckonAppend` takes, how many values there are, how many of the sets something is put into and how many
   * something is taken out of, the values, then for each set a member, its score, and `PXAT` or nothing; for each of the
   * others the member that is taken out. Gives what `beckonAppend` gives for each: one that fails is an error among them.
   */
  beckonAppendAll: {
    lua: `
      local function append(log, after, pxat, first, final)
        ${append({ log: 'log', after: 'after', pxat: 'pxat', first: 'first', last: 'final' })}
        return last
      end
      local function name(key, puts, removals, place)
        for index = key + 1, key + puts do
          redis.call('ZADD', KEYS[index], ARGV[place + 1], ARGV[place])
          if ARGV[place + 2] ~= '' then redis.call('PEXPIREAT', KEYS[index], ARGV[place + 2]) end
          place = place + 3
        end
        for index = key + puts + 1, key + puts + removals do
          redis.call('ZREM', KEYS[index], ARGV[place])
          place = place + 1
        end
      end
      local results, key, place = {}, 1, 1
      while key <= #KEYS do
        local values, puts, removals = tonumber(ARGV[place + 2]), tonumber(ARGV[place + 3]), tonumber(ARGV[place + 4])
        local first = place + 5
        local isRun, result = pcall(append, KEYS[key], ARGV[place], ARGV[place + 1], first, first + values - 1)
        if isRun and type(result) == 'number' and puts + removals > 0 then
          local isNamed, failure = pcall(name, key, puts, removals, first + values)
          if not isNamed then isRun, result = false, failure end
        end
        if not isRun then result = { err = type(result) == 'table' and result.err or tostring(result) } end
        -- A replica takes none of them: as the error of the whole command, it has the client look for the server that does.
        if type(result) == 'table' and string.find(result.err, '^%-?READONLY') then return result end
        results[#results + 1] = result
        key = key + 1 + puts + removals
        place = first + values + 3 * puts + removals
      end
      return results`,
  },

  /** What to read after, and how many entries, or nothing. Gives the number before the first that is read, and their values. */
  beckonRead: {
    numberOfKeys: 1,
    lua: `
      local trimmed = tonumber(redis.call('LINDEX', KEYS[1], 0))
      if not trimmed then return { 0, {} } end
      local left = math.max(0, tonumber(ARGV[1]) - trimmed)
      local final = ARGV[2] == '' and -1 or left + tonumber(ARGV[2])
      return { trimmed + left, redis.call('LRANGE', KEYS[1], left + 1, final) }`,
  },

  /** The last number that goes. What it had says from then on how many were trimmed. */
  beckonTrim: {
    numberOfKeys: 1,
    lua: `
      local trimmed = tonumber(redis.call('LINDEX', KEYS[1], 0))
      if not trimmed then return end
      local upTo = math.min(tonumber(ARGV[1]), trimmed + redis.call('LLEN', KEYS[1]) - 1)
      if upTo <= trimmed then return end
      redis.call('LSET', KEYS[1], upTo - trimmed, string.format('%d', upTo))
      redis.call('LTRIM', KEYS[1], upTo - trimmed, -1)`,
  },

  /** What the key holds, and what it is to hold. Gives 1 when it was that; its expiry stays. */
  beckonReplace: {
    numberOfKeys: 1,
    lua: `
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
      return 1`,
  },

  /**
   * A digest of all that was read, and the values that all entries are to have. Gives 1, or 0 when the log is not as it was; its
   * expiry stays.
   */
  beckonReplaceLog: {
    numberOfKeys: 1,
    lua: `
      local values = redis.call('LRANGE', KEYS[1], 0, -1)
      if redis.sha1hex(table.concat(values, ' ')) ~= ARGV[1] then return 0 end
      redis.call('LTRIM', KEYS[1], 0, 0)
      for index = 2, #ARGV, ${chunk} do
        redis.call('RPUSH', KEYS[1], unpack(ARGV, index, math.min(index + ${chunk - 1}, #ARGV)))
      end
      return 1`,
  },

  /** Member, score, the score that it must have or 'absent' or nothing, `PXAT` or nothing. Gives 1 when it was put. */
  beckonPut: {
    numberOfKeys: 1,
    lua: `
      local current = redis.call('ZSCORE', KEYS[1], ARGV[1])
      if ARGV[3] == 'absent' then
        if current then return 0 end
      elseif ARGV[3] ~= '' and not (current and tonumber(current) == tonumber(ARGV[3])) then return 0 end
      redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
      if ARGV[4] ~= '' then redis.call('PEXPIREAT', KEYS[1], ARGV[4]) end
      return 1`,
  },

  /** Member, the score that it must have or nothing. Gives 1 when it was removed. */
  beckonRemove: {
    numberOfKeys: 1,
    lua: `
      local current = redis.call('ZSCORE', KEYS[1], ARGV[1])
      if not current or (ARGV[2] ~= '' and tonumber(current) ~= tonumber(ARGV[2])) then return 0 end
      return redis.call('ZREM', KEYS[1], ARGV[1])`,
  },

  /**
   * The score and member to come after, the last score, how many, 1 for reverse. Gives members and scores, the lowest first,
   * in reverse too. The place of a cursor among equal scores is found by halving: its member may be gone, and so many may
   * have that score. Bytes are compared one by one, since Lua compares strings in the order of the server's language.
   */
  beckonRange: {
    numberOfKeys: 1,
    lua: `
      local function isBefore(a, b)
        for index = 1, math.min(#a, #b) do
          local x, y = string.byte(a, index), string.byte(b, index)
          if x ~= y then return x < y end
        end
        return #a < #b
      end
      local limit, isReverse = tonumber(ARGV[4]), ARGV[5] == '1'
      local low = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])
      local high = low + redis.call('ZCOUNT', KEYS[1], ARGV[1], ARGV[1])
      while low < high do
        local middle = math.floor((low + high) / 2)
        local found = redis.call('ZRANGE', KEYS[1], middle, middle)[1]
        if isBefore(found, ARGV[2]) or (found == ARGV[2] and not isReverse) then low = middle + 1 else high = middle end
      end
      local first, last
      if isReverse then
        first, last = math.max(redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[3]), low - limit), low - 1
      else
        first, last = low, math.min(redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[3]), low + limit) - 1
      end
      if first > last then return {} end
      return redis.call('ZRANGE', KEYS[1], first, last, 'WITHSCORES')`,
  },

  /**
   * A channel, as the key, and a message. A Cluster sends a plain `PUBLISH` to any node, and messages that take different
   * ways can overtake each other; a key has one node.
   */
  beckonPublish: { numberOfKeys: 1, lua: `return redis.call('PUBLISH', ARGV[1], ARGV[2])` },
}

/** Gives a client the scripts as its methods. */
export function withScripts(client: Redis | Cluster): ScriptedClient {
  for (const [name, { numberOfKeys, lua }] of Object.entries(scripts)) {
    const call = (...args: (string | number | string[])[]) =>
      // Lists among the arguments are taken as what they hold.
      client.eval(lua, ...((numberOfKeys === undefined ? args : [numberOfKeys, ...args]) as [number, ...string[]]))
    Object.assign(client, { [name]: call })
  }
  return client as ScriptedClient
}

/** A client that was given the scripts. */
export type ScriptedClient = (Redis | Cluster) & {
  beckonSchema(key: string, version: number, schema: string, oldestRead: number): Promise<string>
  beckonCompareAndSet(key: string, version: string, entry: string, pxat: number | ''): Promise<number>
  beckonAppend(key: string, after: number | '', pxat: number | '', values: string[]): Promise<number | null>
  beckonAppendAll(keyCount: number, keys: string[], args: (string | number)[]): Promise<(number | null | Error)[]>
  beckonRead(key: string, after: number, limit: number | ''): Promise<[before: number, values: string[]]>
  beckonTrim(key: string, upTo: number): Promise<null>
  beckonReplace(key: string, was: string, next: string): Promise<number>
  beckonReplaceLog(key: string, digest: string, values: string[]): Promise<number>
  beckonPut(
    key: string,
    member: string,
    score: number,
    condition: 'absent' | number | '',
    pxat: number | '',
  ): Promise<number>
  beckonRemove(key: string, member: string, condition: number | ''): Promise<number>
  beckonRange(key: string, score: number, member: string, to: number, limit: number, reverse: 0 | 1): Promise<string[]>
  beckonPublish(key: string, channel: string, message: string): Promise<number>
}
