import { answersFrom, readAnswers } from '../answers/answers-file.js'
import { nobody } from '../answers/nobody.js'
import type { Person } from '../answers/person.js'
import { connectFor } from '../call/call-tool.js'
import { listTools } from '../call/list-tools.js'
import { isDiscounted, resultText } from '../call/result-text.js'
import { toolArguments } from '../call/tool-arguments.js'
import { isOfWaiting } from '../call/waiting-notice.js'
import { usageError } from '../cli-error.js'
import { eraOf } from '../connect/connect.js'
import { headersOf } from '../connect/headers.js'
import { commandTarget, type Target, targetOf } from '../connect/target.js'
import { exitCodes } from '../exit-codes.js'
import { plainJson, plainLine } from '../plain-text.js'
import { isInteractive } from '../terminal/screen.js'
import { terminalPerson } from '../terminal/terminal-person.js'
import { type Command, defineCommand } from './command.js'

/** `beckon call` */
export const command: Command = defineCommand({
  usage: `Calls a tool of an MCP server, and puts what it asks to you.

Usage:
  beckon call <url> <tool> [arguments]
  beckon call "<command>" <tool> [arguments]
  beckon call <tool> [arguments] -- <command...>
  beckon call <url>                          lists the tools

Arguments are name=text, name:=json, or one JSON object:
  beckon call http://127.0.0.1:4747/mcp deploy env=production replicas:=3`,
  options: {
    answers: { type: 'string', value: 'file', help: 'answer from a JSON file, for scripts' },
    json: { type: 'boolean', default: false, help: 'print the result as JSON' },
    era: {
      type: 'string',
      value: 'era',
      help: '2025, 2026 or auto (default): which generation of the protocol to speak',
    },
    header: { type: 'string', value: 'line', multiple: true, help: 'an HTTP header, as "Authorization: Bearer ..."' },
    timeout: {
      type: 'string',
      value: 's',
      default: '60',
      help: 'how long the server may be silent, in seconds (default 60); your own time does not count',
    },
    verbose: { type: 'boolean', default: false, help: 'show what a server that is started writes to standard error' },
  },
  notes: `A file of answers: { "fields": { "name": "Ada" }, "asks": [{ "message": "Delete", "action": "decline" }] }
Without a terminal, and without an answer in the file, what is asked is cancelled.
Ctrl-C leaves a question; while the server works it cancels the call.

Exit codes: 0 done, 1 the tool failed, 2 usage, 3 declined, cancelled, nobody there or still waiting, 4 cannot connect, 5 broken off.`,
  takes: 'words and a server command',
  async run({ values, words, serverCommand }) {
    const { target, tool, rest } = wanted(words, serverCommand)
    const given = toolArguments(rest)
    const watched = watch(await personFor(values.answers))
    const connection = await connectFor({
      target,
      era: eraOf(values.era),
      person: watched.person,
      timeoutMs: millisecondsOf(values.timeout),
      headers: headersOf(values.header),
      stderr: values.verbose ? 'inherit' : 'ignore',
    })
    try {
      if (tool === undefined) {
        console.log(await listTools(connection.client))
        return exitCodes.ok
      }
      const result = await connection.callTool(
        { name: tool, arguments: given },
        {
          signal: interrupted(),
          isAsking: watched.isAsking,
          onProgress: progress => (isInteractive() && watched.isAsking()) || tellProgress(progress),
        },
      )
      console.log(values.json ? plainJson(result) : resultText(result))
      const isNobody = watched.hasAnswered() && isDiscounted(result)
      const isWaiting = isOfWaiting(result.content.flatMap(block => (block.type === 'text' ? [block.text] : [])))
      if (watched.isRefused() || connection.hasCancelled() || isNobody || isWaiting) return exitCodes.notAnswered
      return result.isError ? exitCodes.failed : exitCodes.ok
    } finally {
      await connection.close()
    }
  },
})

function wanted(
  positionals: readonly string[],
  words: readonly string[] | undefined,
): { target: Target; tool: string | undefined; rest: readonly string[] } {
  if (words !== undefined) {
    const [tool, ...rest] = positionals
    return { target: commandTarget(words), tool, rest }
  }
  const [server, tool, ...rest] = positionals
  if (server === undefined) throw usageError('Which server? Name its address, or the command that starts it.')
  return { target: targetOf(server), tool, rest }
}

async function personFor(file: string | undefined): Promise<Person> {
  const person = isInteractive() ? terminalPerson : nobody
  return file === undefined ? person : answersFrom(await readAnswers(file), person)
}

interface Watched {
  readonly person: Person
  hasAnswered(): boolean
  isRefused(): boolean
  isAsking(): boolean
}

/** Remembers whether anything was answered, and not agreed to; and knows whether someone is being asked. */
function watch(person: Person): Watched {
  let hasAnswered = false
  let isRefused = false
  let asking = 0
  return {
    hasAnswered: () => hasAnswered,
    isRefused: () => isRefused,
    isAsking: () => asking > 0,
    async person(ask) {
      asking++
      try {
        const outcome = await person(ask)
        hasAnswered = true
        if (outcome.action !== 'accept' && !ask.signal.aborted) isRefused = true
        return outcome
      } finally {
        asking--
      }
    },
  }
}

/** Aborts on the first Ctrl-C outside a question; the second ends the process, as it would have by itself. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}

function tellProgress({
  progress,
  total,
  message,
}: {
  progress: number
  total?: number | undefined
  message?: string | undefined
}): void {
  // Of what there is in all nobody said, a number alone says nothing: a heartbeat counts in millionths.
  const said = [...(total === undefined ? [] : [`${progress}/${total}`]), ...(message === undefined ? [] : [message])]
  if (said.length > 0) console.error(plainLine(`… ${said.join(' ')}`))
}

function millisecondsOf(seconds: string): number {
  const value = Number(seconds)
  if (!(value > 0)) throw usageError(`--timeout takes a number of seconds, not "${seconds}".`)
  return Math.min(value * 1000, 2 ** 31 - 1)
}
