// Someone who reads, or writes to, the database of a desk.
import { memoryStore } from 'beckon'
import type { JsonValue, Store } from 'beckon/store'
import { onTestFinished } from 'vitest'
import type { Family } from '../../../../test/attack-table.js'
import { createDesk } from '../../src/index.js'
import { audited } from '../audited.js'
import { Browser } from '../browser.js'
import { attacked, must, shop, tokenOf } from './desk-under-attack.js'

/** A store that others share, and all that went to it. */
function recorded(): { readonly store: Store; written(): string } {
  const own = memoryStore()
  const seen: unknown[] = []
  const noting =
    <A extends unknown[], R>(method: (...args: A) => R) =>
    (...args: A): R => {
      seen.push(args)
      return method(...args)
    }
  const { get, set, compareAndSet, append, put, publish } = own
  const noted = { get: noting(get), set: noting(set), compareAndSet: noting(compareAndSet) }
  const store: Store = {
    ...own,
    ...noted,
    shared: true,
    append: noting(append),
    put: noting(put),
    publish: noting(publish),
    close: async () => {},
  }
  return { store, written: () => JSON.stringify(seen) }
}

async function spoiled(change: (values: JsonValue[]) => JsonValue[]): Promise<string> {
  const desk = audited()
  await desk.view('0', '1', '2', '3', '4')
  await desk.signHour()
  const [log = ''] = await desk.logs()
  await desk.rewrite(log, change)
  const { isWhole, faults } = await desk.audit.verify()
  must(!isWhole, 'Nobody noticed.')
  const read = await desk.sessions()
  must(read.length >= 3, `Only ${read.join()} can be read.`)
  return `\`verify()\`: ${[...new Set(faults.map(({ kind }) => kind))].join(', ')}; the rest is read`
}

export const store: Family = {
  family: 'The store of a desk',
  attacks: [
    {
      attack: 'reading it for tickets, one-time links, cookies, tokens, and the words of an ask',
      async run() {
        const { store, written } = recorded()
        const desk = await attacked({ store, keys: 'k'.repeat(32) })
        const { ticket } = (await (await desk.send(tokenOf('alice'), 'POST', '/ticket')).json()) as { ticket: string }
        await desk.send(shop, 'POST', '/api/asks', { id: 'a', message: 'The words of it', principal: 'alice' })
        const linked = createDesk({ store, keys: 'k'.repeat(32) })
        onTestFinished(() => linked.close())
        const { link } = await linked.listen()
        const browser = new Browser()
        await browser.visit(link)
        const cookies = [...browser.cookies.values()]
        must(cookies.length > 0, 'Nobody is signed in.')
        const secrets = [ticket, new URL(link).searchParams.get('key') ?? '', ...cookies, tokenOf('alice'), shop]
        const found = [...secrets, 'The words of it'].filter(secret => written().includes(secret))
        must(found.length === 0, found.join())
        return 'in no name, no value and no message'
      },
    },
    { attack: 'a line of the audit is deleted', run: () => spoiled(values => values.toSpliced(1, 1)) },
    {
      attack: 'two lines of the audit change places',
      run: () => spoiled(([a, b, c, ...rest]) => [a, c, b, ...rest] as JsonValue[]),
    },
    { attack: 'a line of the audit is doubled', run: () => spoiled(([a, ...rest]) => [a, a, ...rest] as JsonValue[]) },
    { attack: 'a line is forged', run: () => spoiled(([a, _, ...rest]) => [a, 'forged', ...rest] as JsonValue[]) },
    {
      attack: 'the end of the audit is cut off, after it was signed',
      run: () => spoiled(values => values.slice(0, 3)),
    },
  ],
}
