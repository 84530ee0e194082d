// What takes more than one command runs inside Redis, where nothing else runs meanwhile. Each script has one key.
import type { Cluster, Redis } from 'ioredis'
import { versionLength } from './entry.js'

/** The scripts, as a client of ioredis is given them. */
export const scripts: Record<string, { numberOfKeys: 1; lua: string }> = {
  /** Version or nothing, entry, `PXAT` or nothing. Gives 1 when the key was at the version, or absent without one. */
  beckonCompareAndSet: {
    numberOfKeys: 1,
    lua: `
      if redis.call('GETRANGE', KEYS[1], 0, ${versionLength - 1}) ~= ARGV[1] then return 0 end
      if ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2])
      else redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3]) end
      return 1`,
  },

  /** What it comes after or nothing, `PXAT` or nothing, the values. A log has no gaps: its length is its last number. */
  beckonAppend: {
    numberOfKeys: 1,
    lua: `
      local last = redis.call('XLEN', KEYS[1])
      if ARGV[1] ~= '' and tonumber(ARGV[1]) ~= last then return false end
      for index = 3, #ARGV do
        last = last + 1
        redis.call('XADD', KEYS[1], string.format('%d-0', last), 'v', ARGV[index])
      end
      if ARGV[2] ~= '' then redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
      return last`,
  },

  /**
   * A channel, as the key, and a message. A Cluster sends a plain `PUBLISH` to any node, and messages that take different
   * ways can overtake each other; a key has one node.
   */
  beckonPublish: { numberOfKeys: 1, lua: `return redis.call('PUBLISH', ARGV[1], ARGV[2])` },
}

/** A client that was given the scripts. */
export type ScriptedClient = (Redis | Cluster) & {
  beckonCompareAndSet(key: string, version: string, entry: string, pxat: number | ''): Promise<number>
  beckonAppend(key: string, after: number | '', pxat: number | '', values: string[]): Promise<number | null>
  beckonPublish(key: string, channel: string, message: string): Promise<number>
}
