// What a client gets that comes back: what happened meanwhile, or snapshots, in either form of the question.
import type { Recovered, RecoveredByChannel } from '@beckon/core/live'
import type { Replayed } from './replay.js'
import type { Prepared } from './subscribe.js'

export interface Recovery {
  /** Channels that are gone. */
  readonly missing: string[]
  /** Channels that only a snapshot can bring up to date. */
  readonly stale: Prepared[]
  /** What happened on the others. */
  readonly replays: { readonly channel: Prepared; readonly from: number; readonly missed: readonly Replayed[] }[]
}

export function isReplay({ stale }: Recovery): boolean {
  return stale.length === 0
}

/** The last number of a replay: where it has nothing, it is the one that the client had. */
export function lastTold(lastSeen: number, { replays }: Recovery): number {
  return Math.max(lastSeen, ...replays.flatMap(({ missed }) => missed.at(-1)?.seq ?? 0))
}

export function together(recovery: Recovery): string {
  const { missing, stale, replays } = recovery
  if (!isReplay(recovery)) {
    const channels = [...stale, ...replays.map(({ channel }) => channel)]
    const recovered: Recovered = { type: 'snapshot', snapshots: channels.map(channel => channel.snapshot()) }
    return JSON.stringify(recovered)
  }
  const actions = replays
    .flatMap(({ missed }) => missed)
    .sort((a, b) => a.seq - b.seq)
    .map(({ envelope }) => envelope)
  return `{"type":"replay","actions":[${actions.join(',')}],"missing":${JSON.stringify(missing)}}`
}

export function byChannel({ missing, stale, replays }: Recovery): string {
  const told = replays.map(
    ({ channel: { channel }, missed }) =>
      `{"kind":"replay","channel":${JSON.stringify(channel)},"actions":[${missed.map(({ envelope }) => envelope).join(',')}]}`,
  )
  const others: RecoveredByChannel['channels'] = [
    ...stale.map(channel => ({ kind: 'snapshot' as const, channel: channel.channel, snapshot: channel.snapshot() })),
    ...missing.map(channel => ({ kind: 'missing' as const, channel })),
  ]
  return `{"channels":[${[...told, ...others.map(other => JSON.stringify(other))].join(',')}]}`
}
