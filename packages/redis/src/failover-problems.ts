// The threat: the one that decides which replica takes over does not know what was acknowledged. Sentinels compare how far the replicas
// were when they last asked them, and only of those that answer; a Cluster lets the one that is furthest ahead try first. So a
// write is safe on all of them, and on fewer only as long as nothing else goes wrong.
import type { Cluster, Redis } from 'ioredis'
import { isCluster } from './client.js'
import { fieldOf } from './durability.js'

/**
 * What a failover can lose, a sentence each. What Redis does not tell us is taken for right.
 * @param replicas how many have to have a write, where that was said
 */
export async function findFailoverProblems(client: Redis | Cluster, replicas: number | undefined): Promise<string[]> {
  const primaries = isCluster(client) ? client.nodes('master') : [client]
  const counts = await Promise.all(
    primaries.map(async primary =>
      Number(fieldOf(await primary.info('replication').catch(() => ''), 'connected_slaves')),
    ),
  )
  return describeFailover({ has: Math.max(0, ...counts), replicas })
}

/** How many replicas a primary has, and how many of them have to have a write. */
export interface ReplicaCounts {
  has: number
  replicas: number | undefined
}

export function describeFailover({ has, replicas }: ReplicaCounts): string[] {
  // Zero that was said is a choice.
  if (replicas === 0 || has <= (replicas ?? 0)) return []
  const how = replicas === undefined ? 'without waiting for a replica' : `once ${replicas} of ${has} replicas have it`
  return [
    `A failover can lose what was acknowledged: a write counts ${how}, and any of them may take over. Set \`replicas\` to ${has}.`,
  ]
}
