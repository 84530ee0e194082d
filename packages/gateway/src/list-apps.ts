import { homedir } from 'node:os'
import { join } from 'node:path'
import { type FoundInstances, readInstances } from './discovery/read-instances.js'

/** An application that runs, as its manifest describes it. */
export interface FoundApp {
  readonly name: string
  readonly pid: number | undefined
  /** Where it listens. */
  readonly address: string
  /** Waits for its code, or works for an agent already. */
  readonly status: 'pending' | 'claimed'
}

/** What is in the folder of manifests. */
export interface FoundApps {
  readonly apps: readonly FoundApp[]
  /** Files that do not count, and why. */
  readonly refused: ReadonlyMap<string, string>
}

/** Looks which applications run, and connects to none. */
export async function listApps(home: string = homedir()): Promise<FoundApps> {
  const { manifests, refused } = await readInstances(instancesFolder(home))
  return { apps: manifests.map(describe), refused }
}

/** Where applications leave their manifests. */
export function instancesFolder(home: string): string {
  return join(home, '.tesseron', 'instances')
}

function describe({ appName: name, pid, transport, claim }: FoundInstances['manifests'][number]): FoundApp {
  const address = transport.kind === 'ws' ? transport.url : transport.path
  return { name, pid, address, status: claim?.isBound ? 'claimed' : 'pending' }
}
