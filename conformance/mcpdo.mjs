// Drives `mcpdo`, the headless client of the MCP Inspector. Each one has a home and a daemon of its own, so that nothing of
// the person who runs this is touched; the daemon is ended by its own command.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(
  new URL('./peers/node_modules/@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js', import.meta.url),
)
const commandWithinMs = 60_000

/** What a call came to: an ask that waits for an answer, or the end of the call. */
/** @typedef {{ elicitationId: string, mode: string, message: string, origin: string, url?: string, requestedSchema?: { properties: object } }} Pending */
/** @typedef {{ ask?: Pending, text?: string | undefined, exit: number }} Told */

/**
 * @typedef {object} Mcpdo
 * @property {(...target: string[]) => Promise<{ protocolEra: string }>} connect
 * @property {(...command: string[]) => Promise<Told>} run
 * @property {(told: Told, ...answer: string[]) => Promise<Told>} answer what it was told to ask
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Mcpdo>} */
export async function openMcpdo() {
  // Short, since a socket's path has to fit into 100 bytes or so.
  const folder = await mkdtemp(join(tmpdir(), 'mcpdo-'))
  const [home, daemon] = [join(folder, 'h'), join(folder, 'd')]
  for (const path of [home, daemon]) await mkdir(path, { mode: 0o700 })
  const env = {
    ...process.env,
    HOME: home,
    USERPROFILE: home,
    MCP_INSPECTOR_DAEMON_DIR: daemon,
    MCP_INSPECTOR_DAEMON_TOKEN: randomBytes(24).toString('hex'),
    MCP_INSPECTOR_SECRET_STORE: 'file',
  }

  /**
   * @param {string[]} args
   * @returns {Promise<{ exit: number, output: string, complaint: string }>}
   */
  const command = args =>
    new Promise(resolve => {
      const options = { env, timeout: commandWithinMs }
      const child = execFile(
        process.execPath,
        [entry, '--format', 'json', ...args],
        options,
        (error, output, complaint) => resolve({ exit: error === null ? 0 : (child.exitCode ?? 1), output, complaint }),
      )
      // With a terminal it would ask there.
      child.stdin?.end()
    })

  /** @param {string[]} args */
  const json = async args => {
    const { exit, output, complaint } = await command(args)
    if (output.trim() === '') throw new Error(`mcpdo ${args.join(' ')} ended with ${exit}: ${complaint.trim()}`)
    return { exit, value: JSON.parse(output) }
  }

  /**
   * @param {string[]} args
   * @returns {Promise<Told>}
   */
  const tell = async args => {
    const { exit, value } = await json(args)
    if (value.elicitationPending) return { ask: value.elicitationPending, exit }
    return { text: textOf(value), exit }
  }

  return {
    connect: async (...target) => (await json(['--connection', 'c', 'connect', ...target])).value,
    run: (...args) => tell(['--connection', 'c', ...args]),
    answer: (told, ...answer) => tell(['elicitation/respond', told.ask?.elicitationId ?? '', ...answer]),
    async stop() {
      await command(['daemon', 'stop'])
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/**
 * The first text in the result of a tool, a prompt or a resource.
 * @param {any} result
 * @returns {string | undefined}
 */
function textOf({ content, messages, contents }) {
  return (content?.[0] ?? messages?.[0]?.content ?? contents?.[0])?.text
}
