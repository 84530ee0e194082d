import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { programOf } from '../programs/program.mjs'
import type { Where } from '../three-nodes/shared-stores.js'

/** Processes of one server, one of which can be killed and replaced. */
export interface Processes {
  /** Where those listen that live. */
  urls(): string[]
  /** Kills the process that listens there, or any; then starts another. Resolves when that is there. */
  kill(pid?: number): Promise<void>
  end(): void
}

interface Process {
  readonly child: ChildProcess
  readonly url: string
}

export async function startProcesses(
  where: Where,
  { count, leaseMs }: { count: number; leaseMs: number },
): Promise<Processes> {
  const env = { ...process.env, NODE_STORE: JSON.stringify(where), NODE_LEASE_MS: `${leaseMs}` }
  const running = new Set<Process>()

  async function start(): Promise<void> {
    const program = await programOf(new URL('./node.ts', import.meta.url))
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = once(child, 'exit').then(() => [])
    const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), gone])
    if (url === undefined) throw new Error('A process ended before it listened.')
    running.add({ child, url })
  }

  await Promise.all(Array.from({ length: count }, start))
  return {
    urls: () => Array.from(running, ({ url }) => url),
    async kill(pid) {
      const all = [...running]
      const victim = all.find(({ child }) => child.pid === pid) ?? all[Math.floor(Math.random() * all.length)]
      if (victim === undefined) throw new Error('Nothing runs.')
      running.delete(victim)
      const gone = once(victim.child, 'exit')
      victim.child.kill('SIGKILL')
      await gone
      await start()
    },
    end() {
      for (const { child } of running) child.kill('SIGKILL')
    },
  }
}
