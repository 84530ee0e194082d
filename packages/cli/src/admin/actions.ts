// What `beckon admin` can do: each a request or two to the desk, and what is printed of the answer.
import { readFile } from 'node:fs/promises'
import { usageError } from '../cli-error.js'
import { fields } from '../fields.js'
import type { DeskApi } from './desk-api.js'

/** What an action prints: rows for people, or the same as JSON. */
export interface Printed {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Said to the person at the terminal, and to no program. */
  readonly note?: string
  /** The command found something wrong. */
  readonly isFailed?: true
}

interface Given {
  readonly api: DeskApi
  /** What stands behind the name of the action. */
  readonly words: readonly string[]
  readonly graceMinutes: number | undefined
  readonly isSure: boolean
  /** Prints a line as it is, at once. */
  readonly write: (line: string) => void
}

interface Action {
  /** As the help has it. */
  readonly usage: string
  readonly summary: string
  /** How many words it takes, at least and at most. */
  readonly takes: readonly [number, number]
  run(given: Given): Promise<Printed>
}

/** A path of names. @throws CliError for one that leads out of its place: an address has no way to write it. */
function at(...names: readonly string[]): string {
  const wrong = names.find(name => /^\.{0,2}$/.test(name))
  if (wrong !== undefined) throw usageError(`"${wrong}" is a name that no address can have.`)
  return names.map(encodeURIComponent).join('/')
}

/** Every action, by what it is about and what it does. */
export const actions: Readonly<Record<string, Action>> = {
  'people list': {
    usage: 'people list',
    summary: 'everyone who was let in, the last one first',
    takes: [0, 0],
    run: async ({ api }) => ({ rows: await pages(api, '/api/admin/people', 'people') }),
  },
  'people sessions': {
    usage: 'people sessions <principal>',
    summary: 'where someone is signed in',
    takes: [1, 1],
    async run({ api, words: [who = ''] }) {
      const { rows } = rowsOf(await api.send('GET', `/api/admin/people/${at(who)}/sessions`), 'sessions')
      const note = `${who} is signed in nowhere. "people list" has the names by which people are known.`
      return { rows, ...(rows.length === 0 && { note }) }
    },
  },
  'people sign-out': {
    usage: 'people sign-out <principal> [session]',
    summary: 'signs someone out everywhere, or in one place',
    takes: [1, 2],
    run: async ({ api, words: [who = '', ...session] }) => ({
      rows: [await api.send('DELETE', `/api/admin/people/${at(who, 'sessions', ...session)}`)],
    }),
  },
  'people passkeys': {
    usage: 'people passkeys <principal>',
    summary: 'the passkeys of someone',
    takes: [1, 1],
    run: async ({ api, words: [who = ''] }) =>
      rowsOf(await api.send('GET', `/api/people/${at(who)}/passkeys`), 'passkeys'),
  },
  'people remove-passkeys': {
    usage: 'people remove-passkeys <principal>',
    summary: 'removes all passkeys of someone who lost theirs',
    takes: [1, 1],
    run: async ({ api, words: [who = ''] }) => ({
      rows: [await api.send('DELETE', `/api/people/${at(who)}/passkeys`)],
    }),
  },
  'person export': {
    usage: 'person export <principal>',
    summary: 'all that is kept of someone, and what they did, as JSON',
    takes: [1, 1],
    async run({ api, words: [who = ''], write }) {
      write(JSON.stringify(await api.send('GET', `/api/admin/people/${at(who)}`), null, 2))
      return { rows: [] }
    },
  },
  'person erase': {
    usage: 'person erase <principal> --yes',
    summary: 'erases all that is kept of someone; the audit stays, for as long as it is kept',
    takes: [1, 1],
    async run({ api, words: [who = ''], isSure }) {
      if (!isSure) throw usageError(`This cannot be undone. Add --yes to erase what is kept of "${who}".`)
      const { erased } = await api.send('DELETE', `/api/admin/people/${at(who)}`)
      return { rows: [{ erased: listed(erased) || 'nothing was kept' }] }
    },
  },
  'tokens list': {
    usage: 'tokens list',
    summary: 'the tokens of servers, without the tokens themselves',
    takes: [0, 0],
    run: async ({ api }) => rowsOf(await api.send('GET', '/api/admin/tokens'), 'tokens'),
  },
  'tokens create': {
    usage: 'tokens create <server>',
    summary: 'makes a token for a server, and prints it this once',
    takes: [1, 1],
    run: async ({ api, words: [server], write }) =>
      shownOnce(await api.send('POST', '/api/admin/tokens', { server }), write),
  },
  'tokens rotate': {
    usage: 'tokens rotate <server> [--grace <minutes>]',
    summary: 'makes another token; the old one is good for an hour, or so long',
    takes: [1, 1],
    run: async ({ api, words: [server = ''], graceMinutes, write }) => {
      const body = graceMinutes === undefined ? {} : { graceMinutes }
      return shownOnce(await api.send('POST', `/api/admin/tokens/${at(server)}/rotate`, body), write)
    },
  },
  'tokens revoke': {
    usage: 'tokens revoke <server>',
    summary: 'takes back the tokens of a server, on every node within a second',
    takes: [1, 1],
    run: async ({ api, words: [server = ''] }) => ({
      rows: [await api.send('DELETE', `/api/admin/tokens/${at(server)}`)],
    }),
  },
  'rules list': {
    usage: 'rules list',
    summary: 'all standing rules, people’s own as well',
    takes: [0, 0],
    run: async ({ api }) => rowsOf(await api.send('GET', '/api/rules'), 'rules'),
  },
  'rules add': {
    usage: 'rules add <file>',
    summary: 'keeps the rule in a file for the whole desk',
    takes: [1, 1],
    run: async ({ api, words: [file = ''] }) => ({ rows: [await api.send('POST', '/api/rules', await jsonIn(file))] }),
  },
  'rules remove': {
    usage: 'rules remove <id>',
    summary: 'removes a rule from the store',
    takes: [1, 1],
    run: async ({ api, words: [id = ''] }) => ({ rows: [await api.send('DELETE', `/api/rules/${at(id)}`)] }),
  },
  'asks list': {
    usage: 'asks list',
    summary: 'open asks, no matter who is asked, the newest first',
    takes: [0, 0],
    async run({ api }) {
      const page = await api.send('GET', '/api/admin/asks')
      const { rows: asks } = rowsOf(page, 'asks')
      const rows = asks.map(({ session, id, server, tool, to, message, askedAt }) => {
        return { session, id, server, tool, to, askedAt, message }
      })
      if (rows.length === 0) return { rows, note: 'No open asks.' }
      return { rows, ...(page.hasMore === true && { note: `There are more: these ${rows.length} are due first.` }) }
    },
  },
  'asks withdraw': {
    usage: 'asks withdraw <session> <id>',
    summary: 'withdraws an open ask: its server hears that nobody answered',
    takes: [2, 2],
    async run({ api, words: [session = '', id = ''] }) {
      await api.send('POST', `/api/admin/asks/${at(session, id)}/withdraw`)
      return { rows: [], note: 'It was withdrawn.' }
    },
  },
  'audit export': {
    usage: 'audit export',
    summary: 'the whole audit, as JSON Lines',
    takes: [0, 0],
    async run({ api, write }) {
      for await (const line of await api.lines('/api/audit')) write(line)
      return { rows: [] }
    },
  },
  'audit verify': {
    usage: 'audit verify',
    summary: 'whether the audit is what was written; exit code 1 when it is not',
    takes: [0, 0],
    async run({ api, write }) {
      const report = await api.send('GET', '/api/audit/verify')
      write(JSON.stringify(report, null, 2))
      return { rows: [], ...(Array.isArray(report.faults) && report.faults.length > 0 && { isFailed: true }) }
    },
  },
}

async function pages(api: DeskApi, path: string, key: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  let cursor: unknown
  do {
    const query = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page = await api.send('GET', `${path}?limit=200${query}`)
    found.push(...rowsOf(page, key).rows)
    cursor = page.nextCursor
  } while (typeof cursor === 'string')
  return found
}

function rowsOf(answer: Readonly<Record<string, unknown>>, key: string): { rows: Record<string, unknown>[] } {
  const list = answer[key]
  return { rows: Array.isArray(list) ? list.map(fields) : [] }
}

/** The token alone goes to standard output, so that it can be sent to a file. */
function shownOnce({ token, ...about }: Readonly<Record<string, unknown>>, write: (line: string) => void): Printed {
  write(String(token))
  return {
    rows: [],
    note: `The token of "${about.server}", which is shown this once: keep it in a file, and give it to the server.`,
  }
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw usageError(`${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : ''
}
