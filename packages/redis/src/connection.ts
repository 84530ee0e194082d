import { StoreUnavailableError } from 'beckon/store'
import { createClient, retryStrategy, type Target } from './client.js'
import { SchemaError } from './schema.js'
import type { ScriptedClient } from './scripts.js'

/** A client whose commands end in time, with an error that says what to do. */
export interface Connection {
  readonly client: ScriptedClient
  /**
   * Runs a command within this very call, or behind those that wait for the first check: commands keep the order of their calls.
   * @throws SchemaError when Redis has what this version cannot use.
   * @throws StoreUnavailableError when Redis cannot be reached, or does not answer in time.
   */
  send<T>(command: (client: ScriptedClient) => Promise<T>): Promise<T>
  /** Has the check done, where nothing else is sent. */
  check(): Promise<void>
  /** Waits for what was sent, and gives the connection back. */
  close(): Promise<void>
}

// One connection that is lost comes back at once as a rule, and what is sent meanwhile waits. After that Redis is away.
const failuresUntilAway = 2

/** Has to succeed once before anything is sent. */
export type Check = (client: ScriptedClient) => Promise<void>

export function createConnection(target: Target, timeoutMs: number, check?: Check): Connection {
  const client = createClient(target, timeoutMs)
  let isChecked = check === undefined
  let checking: Promise<void> | undefined
  let failures = 0
  let lastError: unknown = new Error('The connection was closed.')
  let closing: Promise<void> | undefined

  client.on('ready', () => {
    failures = 0
  })
  client.on('close', () => {
    failures += 1
  })
  // The sender is told.
  client.on('error', error => {
    lastError = withoutCommand(error)
  })

  // A client that hears of a failover while it asks the Sentinels for the primary gives up, for good: nothing but this brings it
  // back.
  client.on('end', () => {
    failures += 1
    const again = (): unknown => (closing ? undefined : client.connect().catch(() => {}))
    setTimeout(again, retryStrategy(failures)).unref()
  })

  async function end(): Promise<void> {
    // What was called before is sent behind it.
    await checking?.catch(() => {})
    if (client.status === 'ready') await within(timeoutMs, client.quit()).catch(() => {})
    client.disconnect()
  }

  function throwIfAway(): void {
    if (closing) throw closedError()
    if (failures >= failuresUntilAway && client.status !== 'ready') throw new StoreUnavailableError('Redis', lastError)
  }

  async function run<T>(command: (client: ScriptedClient) => Promise<T>): Promise<T> {
    try {
      writeTogether(client)
      return await within(timeoutMs, command(client))
    } catch (cause) {
      throw failureOf(cause)
    }
  }

  /** Shared by all that is called until it has ended; one that failed is done again with the next call. */
  function firstCheck(): Promise<void> {
    if (checking !== undefined) return checking
    checking = run(client => check?.(client) ?? Promise.resolve())
    // Told before those who wait: else a call that comes between would overtake them.
    checking.then(
      () => {
        isChecked = true
      },
      () => {
        checking = undefined
      },
    )
    return checking
  }

  return {
    client,

    async send(command) {
      throwIfAway()
      if (!isChecked) await firstCheck()
      return run(command)
    },

    async check() {
      if (isChecked) return
      throwIfAway()
      await firstCheck()
    },

    close() {
      closing ??= end()
      return closing
    },
  }
}

/** Has what is sent in this turn leave in one write: a hundred calls at once are then one for the system, in their order. */
function writeTogether(client: ScriptedClient): void {
  // A cluster has a connection for each node, out of reach.
  const stream = 'stream' in client ? client.stream : undefined
  if (stream === undefined || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** What every method rejects with once the store was closed. */
export function closedError(): Error {
  return new Error('This store was closed. Open a new one, or close it later.')
}

// Redis is there, but not able to do what it is for: it starts, changes roles, is full, or lets nobody in.
const awayReplies = [
  ...['LOADING', 'READONLY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'NOREPLICAS', 'MISCONF', 'OOM', 'BUSY'],
  ...['NOAUTH', 'WRONGPASS', 'ERR max number of clients reached'],
]

/** What a command that failed rejects with. */
export function failureOf(cause: unknown): unknown {
  const error = withoutCommand(cause)
  return isRefusal(error) ? error : new StoreUnavailableError('Redis', error)
}

/** Whether Redis answered, and would answer the same again. */
function isRefusal(error: unknown): boolean {
  if (error instanceof SchemaError) return true
  if (!(error instanceof Error) || error.name !== 'ReplyError') return false
  return !awayReplies.some(reply => error.message.startsWith(reply))
}

/** ioredis puts the whole command on its errors, with the values that a person gave. They belong in no log. */
function withoutCommand(error: unknown): unknown {
  if (error instanceof Error && 'command' in error) delete error.command
  return error
}

function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`There was no answer in ${timeoutMs} ms.`)), timeoutMs)
    const settled = (): void => clearTimeout(timer)
    work.then(settled, settled)
    work.then(resolve, reject)
  })
}
