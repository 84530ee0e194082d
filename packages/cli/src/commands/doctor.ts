import { parseArgs } from 'node:util'
import { toolArguments } from '../call/tool-arguments.js'
import { usageError } from '../cli-error.js'
import { headersOf } from '../connect/headers.js'
import { commandTarget, splitCommand, targetOf } from '../connect/target.js'
import { portOf } from '../desk/ports.js'
import { examine } from '../doctor/examine.js'
import { createProbe } from '../doctor/probe.js'
import { reportOf } from '../doctor/report.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { plainJson, plainLine } from '../plain-text.js'
import { untilStopped } from '../process/until-stopped.js'
import type { Command } from './command.js'

const help = `Says what an MCP server can do, and which rules of elicitation it breaks; or what a client can do.

Usage:
  beckon doctor <url>
  beckon doctor "<command>"
  beckon doctor [options] -- <command...>
  beckon doctor --client [--http <port>]     serves tools that ask in every way, to any client

Options:
  --call <tool>    call this tool as well, in each era, with and without elicitation, and look at what
                   it asks; everything that it asks is declined
  --arg <argument> an argument for that tool: name=text, or name:=json; may be repeated
  --timeout <s>    how long a call may take, in seconds (default 30)
  --header <line>  an HTTP header; may be repeated
  --json           print the report as JSON

Exit codes: 0 no MUST is broken, 1 one is, 2 usage, 4 cannot connect.`

const options = {
  call: { type: 'string' },
  arg: { type: 'string', multiple: true },
  timeout: { type: 'string', default: '30' },
  header: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  client: { type: 'boolean', default: false },
  http: { type: 'string' },
} as const

/** `beckon doctor` */
export const command: Command = {
  help,
  async run(args) {
    const { ours, command: words } = splitCommand(args)
    const { values, positionals } = parseArgs({ args: ours, options, allowPositionals: true })
    if (values.client) return examineClient(portOf(values.http))
    const [server] = positionals
    if ((server === undefined) === (words === undefined) || positionals.length > 1) {
      throw usageError('Name one server: beckon doctor <url>, or beckon doctor -- <command...>.')
    }
    const timeoutMs = Number(values.timeout) * 1000
    if (!(timeoutMs > 0)) throw usageError(`--timeout is a number of seconds, and not "${values.timeout}".`)
    const examination = await examine({
      target: words === undefined ? targetOf(server ?? '') : commandTarget(words),
      call: values.call === undefined ? undefined : { name: values.call, arguments: toolArguments(values.arg ?? []) },
      timeoutMs,
      headers: headersOf(values.header),
    })
    console.log(values.json ? plainJson(examination) : reportOf(examination))
    const isBroken = examination.checks.some(({ level, verdict }) => level === 'MUST' && verdict === 'fail')
    return isBroken ? exitCodes.failed : exitCodes.ok
  },
}

async function examineClient(port: number | undefined): Promise<ExitCode> {
  const server = createProbe(({ tool, declares, outcome }) => {
    console.error(plainLine(`${tool}: ${outcome}. The client declares ${declares.join(', ') || 'nothing'}.`))
  })
  try {
    const stopped = untilStopped()
    if (port === undefined) await Promise.race([server.stdio().closed, stopped])
    else {
      const { url } = await server.listen({ port })
      console.error(`Connect the client to ${url} and call its tools, all named probe_*.`)
      await stopped
    }
    return exitCodes.ok
  } finally {
    await server.close()
  }
}
