import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Application } from '../application.js'

const question = 'Which warehouse should I check?'

/** Starts the program, which goes by the home of whoever starts it. */
export function startStock(home: string): Application {
  let program = start(home)
  return {
    readCode: () => readCode(program),
    async use(agent) {
      assert.deepEqual(await agent.call('shop__checkStock', () => ({ action: 'decline' })), { cancelled: true })
      const found = await agent.call('shop__checkStock', asked => {
        assert.equal(asked, question)
        return { action: 'accept', content: { warehouseId: 'WH-7' } }
      })
      assert.deepEqual(found, { warehouseId: 'WH-7', units: 42 })
    },
    async restart(noticed) {
      await stop(program)
      await noticed()
      program = start(home)
    },
    stop: () => stop(program),
  }
}

function start(home: string): ChildProcess {
  const path = fileURLToPath(new URL('./app.js', import.meta.url))
  return spawn(process.execPath, [path], { env: { ...process.env, HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** What a person would read on the terminal. */
async function readCode({ stdout }: ChildProcess): Promise<string> {
  assert(stdout !== null)
  const [line] = (await once(createInterface(stdout), 'line')) as [string]
  const code = /[0-9A-Z]{4}-[0-9A-Z]{2}/.exec(line)?.[0]
  assert(code !== undefined, line)
  return code
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  program.kill('SIGTERM')
  await once(program, 'exit')
}
