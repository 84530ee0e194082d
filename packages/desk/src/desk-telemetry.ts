// What a program with an SDK of OpenTelemetry can see of a desk, beside what it sees of a server: names, kinds and counts only.
import { type BatchObservableCallback, metrics } from '@opentelemetry/api'
import { Telemetry } from 'beckon/telemetry/adapter'
import { happeningsOf } from './asks/happening.js'
import type { Ask } from './model/session.js'
import type { Sessions, Told } from './sessions/sessions.js'

/** Events that end asks. */
const ends: ReadonlySet<Told['event']['type']> = new Set(['askEnded', 'turnEnded', 'truncated', 'disposed'])

/** Counts what happens to asks, each where it was written, so that nodes can be added up. Gives back how to stop. */
export function countAsks(sessions: Sessions): () => void {
  const telemetry = new Telemetry()
  const asks = metrics.getMeter('beckon').createCounter('beckon.desk.asks', {
    description: 'What happened to asks: asked, answered, withdrawn or expired.',
  })
  return sessions.listen(told => {
    if (!told.isOwn) return
    if (told.event.type === 'asked') asks.add(1, { 'beckon.desk.event': 'asked' })
    if (!ends.has(told.event.type)) return
    for (const { ask, at, ended } of happeningsOf(told)) {
      if (ended === undefined) continue
      asks.add(1, { 'beckon.desk.event': ended.event })
      telemetry.answered('desk', kindOf(ask), Math.max(0, at - ask.askedAt), { kind: ended.response ?? ended.event })
    }
  })
}

/** Shows how many connections a desk serves, until what it gives back is called. */
export function showConnections(live: { readonly connections: number }): () => void {
  const meter = metrics.getMeter('beckon')
  const connections = meter.createObservableGauge('beckon.desk.connections', {
    description: 'Sockets of the live protocol that this node serves.',
  })
  const observe: BatchObservableCallback = result => result.observe(connections, live.connections)
  meter.addBatchObservableCallback(observe, [connections])
  return () => meter.removeBatchObservableCallback(observe, [connections])
}

function kindOf({ request: { url, questions = [] } }: Ask): string {
  if (url !== undefined) return 'url'
  return questions.length === 0 ? 'confirm' : 'form'
}
