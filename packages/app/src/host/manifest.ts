import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Claim } from './claim.js'
import type { Address } from './endpoint.js'
import { readJson } from './private-file.js'

/** What a gateway finds an app by. */
export interface Manifest {
  readonly version: 2
  readonly instanceId: string
  readonly appName: string
  readonly addedAt: number
  readonly pid: number
  readonly transport: Address
  /** The app shows its code by itself, and the gateway dials only once it is told that code. */
  readonly helloHandledByHost: true
  readonly hostMintedClaim: Claim
}

export function manifestPath(home: string, instanceId: string): string {
  return join(home, '.tesseron', 'instances', `${instanceId}.json`)
}

export function newInstanceId(appId: string): string {
  return `${appId}-${randomBytes(8).toString('hex')}`
}

/** Whether an app that still runs goes by this instance. */
export async function isInUse(home: string, instanceId: string): Promise<boolean> {
  const manifest = await readJson(manifestPath(home, instanceId))
  if (typeof manifest !== 'object' || manifest === null || !('pid' in manifest)) return false
  return typeof manifest.pid === 'number' && isRunning(manifest.pid)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It runs, as someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
