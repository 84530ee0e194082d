// A desk on a port of this machine, with people and servers that have tokens.

import { onTestFinished } from 'vitest'
import { bearerAccess, createDesk, type Desk, type DeskOptions, type Listening } from '../../src/index.js'
import { LiveClient } from '../live-client.js'

export const shop = 'a-token-of-the-shop'
export const bank = 'a-token-of-the-bank'

export interface Attacked extends Desk, Listening {
  /** Tokens of people, who may lose them. */
  readonly people: Map<string, { principal: string; groups?: string[] }>
  readonly errors: unknown[]
  /** A request with a token. */
  send(token: string, method: string, path: string, body?: unknown): Promise<Response>
  /** Someone on the live protocol, by their token. */
  connect(token: string): Promise<LiveClient>
}

export const tokenOf = (name: string): string => `a-token-of-${name}-here`

export async function attacked(options: Partial<DeskOptions> = {}): Promise<Attacked> {
  const errors: unknown[] = []
  const people = new Map(['alice', 'bob', 'mallory'].map(name => [tokenOf(name), { principal: name }]))
  const desk = createDesk({
    servers: { shop, bank },
    access: bearerAccess({ tokens: token => people.get(token) }),
    onError: error => errors.push(error),
    ...options,
  })
  const listening = await desk.listen()
  onTestFinished(() => desk.close())
  const send = (token: string, method: string, path: string, body?: unknown) =>
    fetch(new URL(path, listening.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  let clients = 0
  return {
    ...desk,
    ...listening,
    people,
    errors,
    send,
    async connect(token) {
      const { ticket } = (await (await send(token, 'POST', '/ticket')).json()) as { ticket: string }
      const url = `${listening.url.replace(/^http/, 'ws')}live?ticket=${ticket}`
      const client = new LiveClient({ url, dialect: '0.3', clientId: `c${++clients}`, now: () => Date.now() })
      await client.dial()
      await client.initialize()
      return client
    },
  }
}

/** What a response says, in a few words. */
export async function told(response: Response): Promise<string> {
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string }
  return `${response.status}${detail === undefined ? '' : `, ${detail}`}`
}

/** Throws unless it is as it must be; an attack that succeeds says so. */
export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what)
}
