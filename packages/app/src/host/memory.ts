// What an app remembers of its claim over a restart, one for each app id. Two programs with the same id may start at
// once: the first to move the file away has it, and the other starts anew.
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@beckon/core/json-rpc'
import type { Agent } from '../app/context.js'
import type { Credentials } from '../session/session.js'
import { readAgent } from '../session/welcome.js'
import { isInUse } from './manifest.js'
import { readJson, writePrivately } from './private-file.js'

/** A claim as it is kept. */
export interface Remembered extends Credentials {
  readonly instanceId: string
  readonly boundAgent: Agent
  /** Whether its gateway comes back by itself. */
  readonly comesBack: boolean
}

/** Keeps a claim for the next start. */
export async function remember(home: string, appId: string, claim: Remembered): Promise<void> {
  await writePrivately(memoryPath(home, appId), claim)
}

/** The claim of the last run, unless that still runs. It has to be remembered again. */
export async function recall(home: string, appId: string): Promise<Remembered | undefined> {
  const path = memoryPath(home, appId)
  const taken = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await rename(path, taken)
  } catch {
    return undefined
  }
  const known = readRemembered(await readJson(taken))
  const isTaken = known !== undefined && (await isInUse(home, known.instanceId))
  if (isTaken) await remember(home, appId, known)
  await rm(taken, { force: true })
  return isTaken ? undefined : known
}

function readRemembered(value: unknown): Remembered | undefined {
  if (!isRecord(value)) return undefined
  const { instanceId, sessionId, resumeToken, comesBack } = value
  const boundAgent = readAgent(value.boundAgent)
  const isWhole = [instanceId, sessionId, resumeToken].every(part => typeof part === 'string' && /^[\w-]+$/.test(part))
  if (!isWhole || boundAgent === undefined) return undefined
  return {
    instanceId: String(instanceId),
    sessionId: String(sessionId),
    resumeToken: String(resumeToken),
    boundAgent,
    comesBack: comesBack === true,
  }
}

function memoryPath(home: string, appId: string): string {
  return join(home, '.tesseron', 'apps', `${appId}.json`)
}
