// Values replaced where they are. Each key and each log is replaced by one script, if it is still as it was read; one that is not is
// read again.
import { createHash } from 'node:crypto'
import type { JsonValue } from 'beckon/store'
import { encodeJson } from 'beckon/store/adapter'
import type { Cluster, Redis } from 'ioredis'
import { isCluster } from './client.js'
import { versionLength } from './entry.js'
import type { ScriptedClient } from './scripts.js'

type Change = (value: JsonValue) => JsonValue | undefined

interface Ways {
  readonly client: ScriptedClient
  /** Sends what reads or changes a key. */
  sendTo<T>(key: string, command: (client: ScriptedClient) => Promise<T>): Promise<T>
}

const keysAtOnce = 200
/** How often what others write meanwhile is read again. */
const maxAttempts = 20

export async function rewriteValues(ways: Ways, prefix: string, change: Change): Promise<number> {
  let rewritten = 0
  for await (const key of keysIn(ways.client, `${prefix}:key:`))
    rewritten += await again(() => rewriteKey(ways, key, change))
  for await (const log of keysIn(ways.client, `${prefix}:log:`))
    rewritten += await again(() => rewriteLog(ways, log, change))
  return rewritten
}

/** Undefined where it has changed meanwhile. */
type Attempt = () => Promise<number | undefined>

async function again(attempt: Attempt): Promise<number> {
  for (let times = 0; times < maxAttempts; times++) {
    const rewritten = await attempt()
    if (rewritten !== undefined) return rewritten
  }
  throw new Error('A value is written so often that it cannot be replaced. Try again when less is going on.')
}

async function rewriteKey({ sendTo }: Ways, key: string, change: Change): Promise<number | undefined> {
  const was = await sendTo(key, client => client.get(key))
  const next = was === null ? undefined : change(JSON.parse(was.slice(versionLength)))
  if (was === null || next === undefined) return 0
  const entry = was.slice(0, versionLength) + encodeJson(next)
  return (await sendTo(key, client => client.beckonReplace(key, was, entry))) === 1 ? 1 : undefined
}

async function rewriteLog({ sendTo }: Ways, log: string, change: Change): Promise<number | undefined> {
  const was = await sendTo(log, client => client.lrange(log, 0, -1))
  let rewritten = 0
  // The first says how many entries were trimmed.
  const values = was.slice(1).map(text => {
    const next = change(JSON.parse(text))
    if (next === undefined) return text
    rewritten++
    return encodeJson(next)
  })
  if (rewritten === 0) return 0
  const digest = createHash('sha1').update(was.join(' ')).digest('hex')
  const replaced = await sendTo(log, client => client.beckonReplaceLog(log, digest, values))
  return replaced === 1 ? rewritten : undefined
}

/** The keys of a store, by how they begin. A key may come twice. */
async function* keysIn(client: Redis | Cluster, begin: string): AsyncGenerator<string> {
  // Names begin with a quotation mark or #: what goes on otherwise is another store, whose prefix begins like this.
  const match = `${begin.replace(/[\\*?[\]^]/g, '\\$&')}["#]*`
  for (const node of isCluster(client) ? client.nodes('master') : [client])
    for await (const keys of node.scanStream({ match, count: keysAtOnce })) yield* keys as string[]
}
