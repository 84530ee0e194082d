import { CliError } from './cli-error.js'
import { clientInfo } from './client-info.js'
import { commands } from './commands/index.js'
import { portProblem } from './desk/ports.js'
import { type ExitCode, exitCodes } from './exit-codes.js'
import { plainText } from './plain-text.js'

/** Runs a command line, and says how it went. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(overview())
    return exitCodes.ok
  }
  if (name === '--version' || name === '-v') {
    console.log(clientInfo.version)
    return exitCodes.ok
  }
  try {
    const listed = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (listed === undefined) {
      throw new CliError(`There is no command "${name}". \`beckon --help\` lists them.`, exitCodes.usage)
    }
    const { command } = await listed.load()
    if (wantsHelp(args)) {
      console.log(command.help)
      return exitCodes.ok
    }
    return await command.run(args)
  } catch (error) {
    return complain(name, error)
  }
}

function complain(name: string, error: unknown): ExitCode {
  if (isArgumentError(error)) {
    console.error(`${error.message}\n\`beckon ${name} --help\` says what it takes.`)
    return exitCodes.usage
  }
  const problem = portProblem(error) ?? error
  console.error(plainText(problem instanceof Error ? problem.message : String(problem)))
  return problem instanceof CliError ? problem.exitCode : exitCodes.broken
}

/** Thrown by `parseArgs` of Node for what it cannot take. */
function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** What comes after `--` is the command line of a server. */
function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const ours = end === -1 ? args : args.slice(0, end)
  return ours.includes('--help') || ours.includes('-h')
}

function overview(): string {
  const names = Object.keys(commands)
  const width = Math.max(...names.map(name => name.length)) + 2
  const lines = names.map(name => `  ${name.padEnd(width)}${commands[name]?.summary}`)
  return `Usage: beckon <command>\n\n${lines.join('\n')}\n\n\`beckon <command> --help\` says more about one.`
}
