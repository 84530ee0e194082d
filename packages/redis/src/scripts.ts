// What takes more than one command runs inside Redis, where nothing else runs meanwhile. Each script has one key, but for
// `beckonAppendAll`: a Cluster, whose keys are on several servers, does without that one.
import type { Cluster, Redis } from 'ioredis'
import { versionLength } from './entry.js'

// How many entries were trimmed from a log. A stream has no place for a number of its own but in a consumer group: nobody
// reads from this one. (`XINFO STREAM` knows the last number, too, but copies the first and the last entry to say so.)
const trimmed = (log: string) => `
      local function trimmed()
        local groups = redis.call('EXISTS', ${log}) == 1 and redis.call('XINFO', 'GROUPS', ${log}) or {}
        for index, field in ipairs(groups[1] or {}) do
          if field == 'last-delivered-id' then return tonumber(string.match(groups[1][index + 1], '^%d+')) end
        end
        return 0
      end`

interface AppendPlaces {
  readonly log: string
  readonly after: string
  readonly pxat: string
  /** Of the values among the arguments. */
  readonly first: string
  readonly last: string
}

// Appends the arguments between two places, unless the log has come further. Nearly all logs were never trimmed and are as long
// as they are expected to be; of one that was, the stream itself refuses a number that it has had.
const append = ({ log, after, pxat, first, last }: AppendPlaces) => `${trimmed(log)}
      local last = redis.call('XLEN', ${log})
      local isAsLong = tonumber(${after}) == last and ${first} <= ${last}
      if not isAsLong then
        last = last + trimmed()
        if ${after} ~= '' and tonumber(${after}) ~= last then return false end
      end
      for index = ${first}, ${last} do
        last = last + 1
        local added = redis.pcall('XADD', ${log}, string.format('%d-0', last), 'v', ARGV[index])
        if type(added) == 'table' and added.err then
          if isAsLong and index == ${first} and trimmed() > 0 then return false end
          return added
        end
      end
      if ${pxat} ~= '' then redis.call('PEXPIREAT', ${log}, ${pxat}) end`

/** The scripts, as a client of ioredis is given them. */
export const scripts: Record<string, { numberOfKeys?: 1; lua: string }> = {
  /** A version, and what to write of it where there is none, or an earlier one. Gives what is there then. */
  beckonSchema: {
    numberOfKeys: 1,
    lua: `
      local known = redis.call('GET', KEYS[1])
      if known and cjson.decode(known).version >= tonumber(ARGV[1]) then return known end
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

  /** What it comes after or nothing, `PXAT` or nothing, the values. A log has no gaps: it is as long as what is left of it. */
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

  /** The first number that is kept. */
  beckonTrim: {
    numberOfKeys: 1,
    lua: `${trimmed('KEYS[1]')}
      local before = trimmed()
      local removed = redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1] .. '-0')
      if removed == 0 then return end
      local id = string.format('%d-0', before + removed)
      if before == 0 then redis.call('XGROUP', 'CREATE', KEYS[1], 'trimmed', id)
      else redis.call('XGROUP', 'SETID', KEYS[1], 'trimmed', id) end`,
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
   * The numbers of the first and the last entry as they were read, and the values that all of them are to have. A stream's entries
   * cannot be changed: it is written again, with the same numbers, expiry and beginning. Gives 1, or 0 when it is not as it was.
   */
  beckonReplaceLog: {
    numberOfKeys: 1,
    lua: `${trimmed('KEYS[1]')}
      local first, last = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1), redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
      if not first[1] or first[1][1] ~= ARGV[1] or last[1][1] ~= ARGV[2] then return 0 end
      if redis.call('XLEN', KEYS[1]) ~= #ARGV - 2 then return 0 end
      local before, left, number = trimmed(), redis.call('PTTL', KEYS[1]), tonumber(string.match(ARGV[1], '^%d+'))
      redis.call('DEL', KEYS[1])
      for index = 3, #ARGV do
        redis.call('XADD', KEYS[1], string.format('%d-0', number + index - 3), 'v', ARGV[index])
      end
      if before > 0 then redis.call('XGROUP', 'CREATE', KEYS[1], 'trimmed', string.format('%d-0', before)) end
      if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
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

/** A client that was given the scripts. */
export type ScriptedClient = (Redis | Cluster) & {
  beckonSchema(key: string, version: number, schema: string): Promise<string>
  beckonCompareAndSet(key: string, version: string, entry: string, pxat: number | ''): Promise<number>
  beckonAppend(key: string, after: number | '', pxat: number | '', values: string[]): Promise<number | null>
  beckonAppendAll(keyCount: number, keys: string[], args: (string | number)[]): Promise<(number | null | Error)[]>
  beckonTrim(key: string, first: number): Promise<null>
  beckonReplace(key: string, was: string, next: string): Promise<number>
  beckonReplaceLog(key: string, first: string, last: string, values: string[]): Promise<number>
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
