import { actions, type Printed } from '../admin/actions.js'
import { deskApi } from '../admin/desk-api.js'
import { storeAction } from '../admin/store-actions.js'
import { usageError } from '../cli-error.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { plainLine, plainText } from '../plain-text.js'
import { type Command, defineCommand } from './command.js'

const width = Math.max(...Object.values(actions).map(({ usage }) => usage.length)) + 2
const list = Object.values(actions).map(({ usage, summary }) => `  ${usage.padEnd(width)}${summary}`)

/** `beckon admin` */
export const command: Command = defineCommand({
  usage: `Looks after a desk: people, tokens of servers, rules, asks and the audit, over its REST API, as an admin.

Usage: beckon admin <what> <action> [options]

${list.join('\n')}
  ${'store check [--config beckon.json]'.padEnd(width)}writes to and reads the store of a configuration
  ${'store migrate [--config beckon.json]'.padEnd(width)}brings it to this version, which \`beckon serve\` does as well
  ${'store reseal --yes [--config beckon.json]'.padEnd(width)}seals all that is kept with a new key, and drops the old ones`,
  options: {
    desk: { type: 'string', value: 'url', help: 'the desk (default: BECKON_DESK)' },
    'token-file': {
      type: 'string',
      value: 'file',
      help: 'the token of a program with the role "admin", see "programs" of the configuration (default: BECKON_ADMIN_TOKEN_FILE, or the token itself in BECKON_ADMIN_TOKEN)',
    },
    config: {
      type: 'string',
      value: 'file',
      help: 'for `store`: the configuration of the desk (default: BECKON_CONFIG)',
    },
    grace: {
      type: 'string',
      value: 'minutes',
      help: 'for `tokens rotate`: how long the old token stays good, in minutes (default 60)',
    },
    yes: { type: 'boolean', default: false, help: 'go ahead with what cannot be undone' },
    json: { type: 'boolean', default: false, help: 'print JSON, one line for each result' },
  },
  notes: `Everything that is done here is in the audit, and so is what was refused.

Exit codes: 0 done, 1 refused, not found, or an audit with faults, 2 usage, 4 no desk or store there, 78 the configuration.`,
  takes: 'words',
  async run({ values, words: [what = '', how = '', ...words] }) {
    if (what === 'store' && (how === 'check' || how === 'migrate' || how === 'reseal') && words.length === 0) {
      if (how === 'reseal' && !values.yes)
        throw usageError(
          'Stop every desk and server that uses the store, and add --yes: states that were handed out are refused after.',
        )
      console.log(await storeAction(how, values.config ?? process.env.BECKON_CONFIG))
      return exitCodes.ok
    }
    const name = `${what} ${how}`
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw usageError(`"${plainLine(name)}" is not an action. \`beckon admin --help\` lists them.`)
    const [min, max] = action.takes
    if (words.length < min || words.length > max) throw usageError(`beckon admin ${action.usage}`)
    const graceMinutes = values.grace === undefined ? undefined : minutes(values.grace)
    const api = deskApi({ desk: values.desk, tokenFile: values['token-file'], env: process.env })
    // Some of what follows is there for others, too, who get less of it: here it is for admins or not at all.
    await api.send('GET', '/api/admin')
    const write = (line: string) => console.log(plainText(line))
    const printed = await action.run({ api, words, graceMinutes, isSure: values.yes, write })
    return print(printed, values.json)
  },
})

function print({ rows, note, isFailed }: Printed, isJson: boolean): ExitCode {
  for (const row of rows) console.log(plainLine(isJson ? JSON.stringify(row) : lineOf(row)))
  if (note !== undefined) console.error(note)
  return isFailed ? exitCodes.failed : exitCodes.ok
}

function lineOf(row: Readonly<Record<string, unknown>>): string {
  return Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        `${key}: ${/At$|^until$/.test(key) && typeof value === 'number' ? new Date(value).toISOString() : text(value)}`,
    )
    .join(', ')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function minutes(word: string): number {
  if (!/^\d{1,6}$/.test(word)) throw usageError('--grace is a number of minutes.')
  return Number(word)
}
