// Someone who reads the database of a server: names, and what is sent between processes. Values are sealed.
import { vi } from 'vitest'
import { z } from 'zod'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { memoryStore, type Store } from '../../src/store/index.js'
import { deskDouble } from '../desk-double.js'
import type { Family } from './attack.js'
import { whileAliceIsAsked } from './attack.js'
import { overHttp, told } from './over-http.js'

/** A store that others share, and everything that went to it: names, members, topics and sealed values. */
function recorded(shared = true): { store: Store; written: () => string } {
  const own = memoryStore()
  const seen: unknown[] = []
  const noting =
    <A extends unknown[], R>(method: (...args: A) => R) =>
    (...args: A): R => {
      seen.push(args)
      return method(...args)
    }
  const store: Store = {
    ...own,
    shared,
    get: noting(own.get),
    set: noting(own.set),
    compareAndSet: noting(own.compareAndSet),
    append: noting(own.append),
    put: noting(own.put),
    publish: noting(own.publish),
    close: async () => {},
  }
  return { store, written: () => JSON.stringify(seen) }
}

function without(written: string, ...secrets: string[]): string {
  const found = secrets.filter(secret => secret === '' || written.includes(secret))
  if (found.length > 0) throw new Error(`It has ${found.join()}.`)
  return 'in no name and no message'
}

const tasks = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }

export const storeReaders: Family = {
  family: 'Reading the store',
  attacks: [
    {
      attack: 'looking for handles of calls on the desk',
      async run() {
        const { store, written } = recorded()
        const desk = deskDouble()
        const { modern } = await overHttp(
          server => void server.tool('pay', {}, async (_input, ctx) => `${await ctx.confirm('Pay?')}`),
          { store, desk, wait: 1, identify: undefined, keys: 'k'.repeat(32) },
        )
        const call = (args: object, headers: Record<string, string>) =>
          modern({ name: 'pay', arguments: args }, { capabilities: {}, headers })
        const handleOf = (text: string) => /"handle":"([\w-]+)"/.exec(text)?.[1] ?? ''
        const stranger = handleOf(told(await call({}, { 'x-forwarded-for': '203.0.113.7' })))
        await call({ beckon: { handle: stranger } }, { 'x-forwarded-for': '203.0.113.7' })
        // Someone who is known, and says which of several calls for the same it is.
        const token = { authorization: 'Bearer x' }
        await call({}, token)
        await call({ beckon: { handle: 'A'.repeat(24) } }, token)
        return without(written(), stranger, 'A'.repeat(24))
      },
    },
    {
      attack: 'looking for ids of tasks',
      async run() {
        const { store, written } = recorded()
        const { modern } = await overHttp(
          server =>
            void server.tool('pay', { task: 'optional' }, async (_input, ctx) => `${await ctx.confirm('Pay?')}`),
          { store, keys: 'k'.repeat(32) },
        )
        const { taskId } = (await modern({ name: 'pay' }, { as: 'alice', capabilities: tasks })).message.result
        await modern({ taskId }, { as: 'alice', capabilities: tasks, method: 'tasks/get' })
        return without(written(), taskId)
      },
    },
    {
      attack: 'looking for links to pages, and ids that complete what is done there',
      async run() {
        const { store, written } = recorded()
        const options = { store, keys: 'k'.repeat(32), wire: 'push' } as const
        const login = credentials({ message: 'Sign in.', schema: { name: 'string' }, verify: () => false, attempts: 1 })
        await whileAliceIsAsked(
          login,
          async ({ link, alice }) => {
            await alice.submit(link, { 'field-name': 'alice' })
            return without(written(), link.split('/').at(-1) ?? '')
          },
          options,
        )
        return whileAliceIsAsked(
          urlAction({ message: 'Pay.', url: 'https://pay.example' }),
          async ({ link, elicitationId = '', alice, server }) => {
            await alice.submit(link)
            await server.completeElicitation(elicitationId)
            return without(written(), link.split('/').at(-1) ?? '', elicitationId)
          },
          options,
        )
      },
    },
    {
      attack:
        'looking for a password that was typed, wrong and right, where nothing is encrypted, and in what is logged',
      async run() {
        const { store, written } = recorded(false)
        const said: unknown[] = []
        const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map(name =>
          vi.spyOn(console, name).mockImplementation((...args) => void said.push(args)),
        )
        const looked: string[] = []
        const schema = z.object({ name: z.string(), password: z.string() })
        const login = credentials({
          message: 'Sign in.',
          schema,
          verify: ({ name, password }) => {
            looked.push(password)
            return password === 'the right one' ? { id: name } : null
          },
        })
        await whileAliceIsAsked(
          login,
          async ({ link, alice }) => {
            for (const password of ['one that is wrong', 'the right one'])
              await alice.submit(link, { 'field-name': 'alice', 'field-password': password })
            return ''
          },
          { store, wire: 'push' },
        ).catch(error => {
          // The right one has her call go on, which no attack may.
          if (looked.length < 2) throw error
        })
        for (const each of consoles) each.mockRestore()
        if (looked.length !== 2) throw new Error(`${looked.length} were looked at.`)
        return without(`${written()}${JSON.stringify(said)}`, 'one that is wrong', 'the right one')
      },
    },
  ],
}
