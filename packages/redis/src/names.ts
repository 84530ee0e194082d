// Every command and every script here touches one Redis key, so all of it works on a Cluster as it is. What could hold
// several things together is a brace in a name, which would let anyone who chooses names choose a node: those are hashed.
import { createHash } from 'node:crypto'

const maxPlainChars = 200

/** What the keys, logs, sets and topics of a store are called in Redis. */
export interface Names {
  keyOf(key: string): string
  logOf(log: string): string
  setOf(set: string): string
  channelOf(topic: string): string
}

/** Redis has one space of channels for all databases, so a channel's name has the number of its own. */
export function createNames(prefix: string, database: number): Names {
  return {
    keyOf: key => `${prefix}:key:${encodeName(key)}`,
    logOf: log => `${prefix}:log:${encodeName(log)}`,
    setOf: set => `${prefix}:set:${encodeName(set)}`,
    channelOf: topic => `${prefix}:topic:${database}:${encodeName(topic)}`,
  }
}

/** Where a store has the version of what is in it. */
export function schemaOf(prefix: string): string {
  return `${prefix}:schema`
}

// The text of a JSON string starts with a quotation mark, and a hash with #.
function encodeName(name: string): string {
  const text = JSON.stringify(name)
  if (text.length <= maxPlainChars && !text.includes('{')) return text
  return `#${createHash('sha256').update(text).digest('base64url')}`
}
