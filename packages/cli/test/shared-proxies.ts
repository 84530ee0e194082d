// Proxies and clients that the tests of a file share: each is a process or two, and takes seconds to start.
import type { Client } from '@modelcontextprotocol/client'
import { afterAll } from 'vitest'
import { beckon, type Running, startBeckon } from './beckon.js'
import { connectHttp, connectStdio, type Era, newClient, stderrOf } from './clients.js'
import { type InboxPerson, openInbox } from './inbox-person.js'

export type Over = 'stdio' | 'http'

export interface Wanted {
  readonly over: Over
  /** The command of the server. */
  readonly server: readonly string[]
  readonly options?: readonly string[]
}

/** A proxy that runs, and who answers what is asked there. */
interface Proxy {
  readonly written: Running['written']
  /** The inbox, by the link that came with its first ask. */
  inbox(): Promise<InboxPerson>
}

export interface Behind extends Proxy {
  readonly client: Client
}

export interface SharedProxies {
  /** A client behind a proxy. Over HTTP the proxy is the same for all; on stdio each client has its own. */
  connect(client: Client, wanted: Wanted): Promise<Behind>
  /** The same client of an era, that cannot ask, for everyone who wants the same of it. */
  shared(era: Era, wanted: Wanted): Promise<Behind>
}

/** Everything ends with the file. */
export function sharedProxies(endMs: number): SharedProxies {
  const clients: Client[] = []
  const proxies = new Map<string, { readonly running: Running; readonly proxy: Proxy }>()
  const known = new Map<string, Promise<Behind>>()

  afterAll(async () => {
    await Promise.all(clients.map(client => client.close()))
    await Promise.all([...proxies.values()].map(({ running }) => running.stop()))
  }, endMs)

  function httpProxy({ server, options = [] }: Wanted) {
    const key = JSON.stringify([server, options])
    const started = proxies.get(key) ?? start(['proxy', '--http', '0', ...options, '--', ...server])
    proxies.set(key, started)
    return started
  }

  async function connect(client: Client, wanted: Wanted): Promise<Behind> {
    clients.push(client)
    const { over, server, options = [] } = wanted
    if (over === 'stdio') {
      await connectStdio(client, beckon('proxy', ...options, '--', ...server), { BECKON_BROWSER: 'none' })
      return { client, ...proxyOf(stderrOf(client)) }
    }
    const { proxy } = httpProxy(wanted)
    await connectHttp(client, (await proxy.written(/the proxy is at (\S+)/))[1] ?? '')
    return { client, ...proxy }
  }

  return {
    connect,
    shared(era, wanted) {
      const key = JSON.stringify([era, wanted])
      const behind = known.get(key) ?? connect(newClient(era), wanted)
      known.set(key, behind)
      return behind
    },
  }
}

function start(args: string[]): { readonly running: Running; readonly proxy: Proxy } {
  const running = startBeckon(args)
  return { running, proxy: proxyOf(running.written) }
}

function proxyOf(written: Running['written']): Proxy {
  let opened: Promise<InboxPerson> | undefined
  return {
    written,
    inbox() {
      opened ??= written(/asks: .* Answer at (\S+)/).then(([, link = '']) => openInbox(link))
      return opened
    },
  }
}
