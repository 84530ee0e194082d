import { toolArguments } from '../call/tool-arguments.js'
import { usageError } from '../cli-error.js'
import { headersOf } from '../connect/headers.js'
import { commandTarget, targetOf } from '../connect/target.js'
import { portOf } from '../desk/ports.js'
import { examine } from '../doctor/examine.js'
import { createProbe } from '../doctor/probe.js'
import { reportOf } from '../doctor/report.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { plainJson, plainLine } from '../plain-text.js'
import { untilStopped } from '../process/until-stopped.js'
import { type Command, defineCommand } from './command.js'

/** `beckon doctor` */
export const command: Command = defineCommand({
  usage: `Says what an MCP server can do, and which rules of elicitation it breaks; or what a client can do.

Usage:
  beckon doctor <url>
  beckon doctor "<command>"
  beckon doctor [options] -- <command...>
  beckon doctor --client [--http <port>]     serves tools that ask in every way, to any client`,
  options: {
    call: {
      type: 'string',
      value: 'tool',
      help: 'call this tool as well, in each era, with and without elicitation, and look at what it asks; everything that it asks is declined',
    },
    arg: {
      type: 'string',
      value: 'argument',
      multiple: true,
      help: 'an argument for that tool: name=text, or name:=json',
    },
    timeout: { type: 'string', value: 's', default: '30', help: 'how long a call may take, in seconds (default 30)' },
    header: { type: 'string', value: 'line', multiple: true, help: 'an HTTP header, as "Authorization: Bearer ..."' },
    json: { type: 'boolean', default: false, help: 'print the report as JSON' },
    client: { type: 'boolean', default: false, help: 'examine a client instead: serve tools that ask in every way' },
    http: {
      type: 'string',
      value: 'port',
      help: 'with --client: serve HTTP on this port (0: any that is free), instead of stdio',
    },
  },
  notes: `Exit codes: 0 no MUST is broken, 1 one is, 2 usage, 4 cannot connect.`,
  takes: 'words and a server command',
  async run({ values, words, serverCommand }) {
    if (values.client) return examineClient(portOf(values.http))
    const [server] = words
    if ((server === undefined) === (serverCommand === undefined) || words.length > 1) {
      throw usageError('Name one server: beckon doctor <url>, or beckon doctor -- <command...>.')
    }
    const timeoutMs = Number(values.timeout) * 1000
    if (!(timeoutMs > 0)) throw usageError(`--timeout takes a number of seconds, not "${values.timeout}".`)
    const examination = await examine({
      target: serverCommand === undefined ? targetOf(server ?? '') : commandTarget(serverCommand),
      call: values.call === undefined ? undefined : { name: values.call, arguments: toolArguments(values.arg ?? []) },
      timeoutMs,
      headers: headersOf(values.header),
    })
    console.log(values.json ? plainJson(examination) : reportOf(examination))
    const isBroken = examination.checks.some(({ level, verdict }) => level === 'MUST' && verdict === 'fail')
    return isBroken ? exitCodes.failed : exitCodes.ok
  },
})

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
