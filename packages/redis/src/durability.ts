import type { Cluster, Redis } from 'ioredis'

/** What is wrong with how Redis keeps data, a sentence each. What it does not tell us is taken for right. */
export async function findDurabilityProblems(client: Redis | Cluster): Promise<string[]> {
  const [persistence, memory, appendfsync] = await Promise.all([
    client.info('persistence').catch(() => ''),
    client.info('memory').catch(() => ''),
    // Many hosts do not allow this one.
    client.config('GET', 'appendfsync').then(
      reply => String(Object.values(Object(reply)).at(-1) ?? ''),
      () => '',
    ),
  ])
  return describeProblems({
    aofEnabled: fieldOf(persistence, 'aof_enabled'),
    maxmemoryPolicy: fieldOf(memory, 'maxmemory_policy'),
    appendfsync,
  })
}

/** The settings of Redis that decide whether what was acknowledged is kept; empty where they are not known. */
export interface DurabilitySettings {
  aofEnabled: string
  appendfsync: string
  maxmemoryPolicy: string
}

export function describeProblems({ aofEnabled, appendfsync, maxmemoryPolicy }: DurabilitySettings): string[] {
  const problems: string[] = []
  if (aofEnabled === '0') {
    problems.push('Redis forgets what it has not saved when it ends. Set `appendonly yes` and `appendfsync always`.')
  } else if (appendfsync !== '' && appendfsync !== 'always') {
    problems.push('Redis acknowledges what is not on disk yet, and may lose it. Set `appendfsync always`.')
  }
  if (maxmemoryPolicy !== '' && maxmemoryPolicy !== 'noeviction') {
    problems.push('Redis removes data when its memory is full. Set `maxmemory-policy noeviction`.')
  }
  return problems
}

/** A value of what INFO says; empty where it is not there. */
export function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
}
