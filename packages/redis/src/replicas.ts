// The threat: a primary that dies right after it acknowledged a write which no replica has. With `replicas`, a write counts
// once so many have it; else it rejects, like any whose outcome is not known. The same for what is read: anyone who looks whether
// such a write took effect, and goes on since it did, would be wrong after a failover.
//
// Redis can only say that of what was done over the very connection that is asked: so a command whose connection was lost
// meanwhile, or which went to another node than it set out for, rejects as well. One question serves all that was sent in
// a turn, and whatever is sent behind it waits until it is answered. It is about all that the server had written by then, by
// whomever, and so about what was read.
import type { Cluster, Redis } from 'ioredis'
import { isCluster } from './client.js'
import { slotOf } from './slot.js'

export interface ReplicasOptions {
  /** How many have to have it. */
  readonly count: number
  /** How long they may take. */
  readonly timeoutMs: number
}

export class Replicas {
  readonly #options: ReplicasOptions
  /** How often each connection was lost since it was first used here. */
  readonly #losses = new WeakMap<Redis, number>()
  /** A question that is about to be put to a server. */
  readonly #asked = new Map<Redis, Promise<void>>()

  constructor(options: ReplicasOptions) {
    this.#options = options
  }

  /** Reads or writes a key, and resolves once enough replicas have what was read or written. */
  async confirm<T>(client: Redis | Cluster, key: string, command: () => Promise<T>): Promise<T> {
    const primary = primaryOf(client, key) ?? (await findPrimary(client, key))
    const losses = this.#lossesOf(primary)
    const result = await command()
    if (primaryOf(client, key) !== primary) throw new Error('This went to another server than it set out for.')
    await this.#ask(primary, losses)
    return result
  }

  /** In the turn after this one: by then others have been answered, too. */
  async #ask(primary: Redis, losses: number): Promise<void> {
    const asked = this.#asked.get(primary) ?? this.#askSoon(primary)
    this.#asked.set(primary, asked)
    await asked
    if (this.#lossesOf(primary) !== losses)
      throw new Error('The connection was lost, so it is unknown whether a replica has this.')
  }

  async #askSoon(primary: Redis): Promise<void> {
    const { count, timeoutMs } = this.#options
    await new Promise<void>(resolve => setImmediate(resolve))
    this.#asked.delete(primary)
    const have = await primary.wait(count, timeoutMs).catch(cause => {
      // It may have become a replica itself, in which case it refuses the question and not the write.
      throw new Error('Redis could not say whether a replica has this.', { cause })
    })
    if (have < count) throw new Error(`Only ${have} of ${count} replicas had this in ${timeoutMs} ms.`)
  }

  #lossesOf(primary: Redis): number {
    const known = this.#losses.get(primary)
    if (known !== undefined) return known
    this.#losses.set(primary, 0)
    primary.on('close', () => this.#losses.set(primary, this.#lossesOf(primary) + 1))
    return 0
  }
}

/** The server that a key is written to; of a Cluster, the one that has its slot, where that is known. */
function primaryOf(client: Redis | Cluster, key: string): Redis | undefined {
  if (!isCluster(client)) return client
  const [address] = client.slots[slotOf(key)] ?? []
  return client.nodes('master').find(({ options: { host, port } }) => `${host}:${port}` === address)
}

/**
 * Asks the Cluster which server has a key: before anything was sent, and when the one that had it is gone. Nothing else would, since
 * nothing is sent to a server that is not known.
 * @throws where none has it
 */
async function findPrimary(client: Redis | Cluster, key: string): Promise<Redis> {
  if (isCluster(client)) {
    // This waits until it is connected, no matter who began to.
    if (client.status !== 'ready') await client.ping()
    if (primaryOf(client, key) === undefined)
      await new Promise<void>(resolve => client.refreshSlotsCache(() => resolve()))
  }
  const primary = primaryOf(client, key)
  if (primary === undefined) throw new Error('No server of the Cluster has the slot of this key.')
  return primary
}
