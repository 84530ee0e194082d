import { parseArgs } from 'node:util'
import { readConfig } from '../config/read-config.js'
import { exitCodes } from '../exit-codes.js'
import { untilStopped } from '../process/until-stopped.js'
import { createLogger, withoutPasswords } from '../serve/logger.js'
import { describeConfig, serve } from '../serve/serve.js'
import type { Command } from './command.js'

const help = `Serves a desk with its inbox for a team: people sign in with OpenID Connect, servers have tokens.

Usage: beckon serve [--config beckon.json]

Options:
  --config <file>  the configuration (default: BECKON_CONFIG, or the environment alone)

Every value can also be given by a variable: \`beckon config variables\` lists them. \`beckon config check\` says what is wrong.
It stops on SIGTERM within ten seconds: whoever is connected is sent to another node. docs/deploying.md leads through it.

Exit codes: 0 stopped, 4 a port or the store cannot be had, 78 the configuration cannot be used.`

const options = { config: { type: 'string' } } as const

/** `beckon serve` */
export const command: Command = {
  help,
  async run(args) {
    const { values } = parseArgs({ args: [...args], options })
    const read = readConfig(values.config ?? process.env.BECKON_CONFIG, process.env)
    const log = createLogger(read.config.log)
    const serving = await serve(read, log)
    const stopped = untilStopped()
    log.info('Serving.', {
      url: serving.url,
      monitoring: serving.monitoringUrl,
      store: withoutPasswords(read.config.store),
      ...describeConfig(read.config),
    })
    await stopped
    log.info('Stopping.')
    const isDone = await serving.stop()
    if (!isDone) {
      log.warn('It took too long to let go of everything: the rest is cut off.')
      process.exit(exitCodes.ok)
    }
    log.info('Stopped.')
    return exitCodes.ok
  },
}
