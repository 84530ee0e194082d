import { readConfig } from '../config/read-config.js'
import { exitCodes } from '../exit-codes.js'
import { untilStopped } from '../process/until-stopped.js'
import { createLogger, withoutPasswords } from '../serve/logger.js'
import { describeConfig, serve } from '../serve/serve.js'
import { type Command, defineCommand } from './command.js'

/** `beckon serve` */
export const command: Command = defineCommand({
  usage: `Serves a desk with its inbox for a team: people sign in with OpenID Connect, servers have tokens.

Usage: beckon serve [--config beckon.json]`,
  options: {
    config: {
      type: 'string',
      value: 'file',
      help: 'the configuration (default: BECKON_CONFIG, or the environment alone)',
    },
  },
  notes: `Every value can also be given by a variable: \`beckon config variables\` lists them. \`beckon config check\` says what is wrong.
It stops on SIGTERM within ten seconds, and its clients connect to another node. See docs/deploying.md.

Exit codes: 0 stopped, 4 a port or the store cannot be had, 78 the configuration cannot be used.`,
  async run({ values }) {
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
      log.warn('Shutting down took too long: what is left is cut off.')
      process.exit(exitCodes.ok)
    }
    log.info('Stopped.')
    return exitCodes.ok
  },
})
