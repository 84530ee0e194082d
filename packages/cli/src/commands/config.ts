import { usageError } from '../cli-error.js'
import { settings } from '../config/environment.js'
import { configJsonSchema } from '../config/json-schema.js'
import { readConfig } from '../config/read-config.js'
import { exitCodes } from '../exit-codes.js'
import { certificateOf } from '../serve/certificate.js'
import { type Command, defineCommand } from './command.js'

/** `beckon config` */
export const command: Command = defineCommand({
  usage: `Says what is wrong with a configuration of \`beckon serve\`.

Usage:
  beckon config check [--config beckon.json]   names each mistake, with its line; secrets are read, and nothing is connected to
  beckon config schema                         prints the JSON Schema of the file
  beckon config variables                      lists the variable of every value`,
  options: {
    config: {
      type: 'string',
      value: 'file',
      help: 'the configuration to check (default: BECKON_CONFIG, or the environment alone)',
    },
  },
  notes: `Exit codes: 0 it can be used, 78 it cannot.`,
  takes: 'words',
  async run({ values, words: [action, more] }) {
    if (more !== undefined) throw usageError('One of check, schema and variables: beckon config check.')
    if (action === 'schema') console.log(JSON.stringify(configJsonSchema(), null, 2))
    else if (action === 'variables') console.log(variables())
    else if (action === 'check') check(values.config ?? process.env.BECKON_CONFIG)
    else throw usageError('One of check, schema and variables: beckon config check.')
    return exitCodes.ok
  },
})

function check(path: string | undefined): void {
  const { config, folder } = readConfig(path, process.env)
  certificateOf(config, folder, Date.now())
  console.log(`${path ?? 'The environment'} can be used.`)
}

function variables(): string {
  const lines = settings().map(({ variable, isSecret, path, schema }) => {
    const names = isSecret ? `${variable}, ${variable}_FILE` : variable
    return `${names.padEnd(60)} ${path.join('.')}${schema.description ? `: ${schema.description}` : ''}`
  })
  return lines.join('\n')
}
