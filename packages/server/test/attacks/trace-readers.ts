// Someone who reads what a server tells its collector of traces and figures, which is often not who may read its data.
import { metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { onTestFinished } from 'vitest'
import { createServer } from '../../src/index.js'
import { memoryStore } from '../../src/store/index.js'
import { createTestClient } from '../../src/test/index.js'
import type { Family } from './attack.js'

/** What was told to a collector since, in one text. */
function collector(): () => Promise<string> {
  const spans = new InMemorySpanExporter()
  const tracing = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  tracing.register()
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })
  const metering = new MeterProvider({ readers: [reader] })
  metrics.setGlobalMeterProvider(metering)
  onTestFinished(async () => {
    trace.disable()
    metrics.disable()
    await Promise.all([metering.shutdown(), tracing.shutdown()])
  })
  return async () => {
    await reader.forceFlush()
    const told = spans
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }))
    if (told.length === 0) throw new Error('Nothing was told.')
    return JSON.stringify([told, exporter.getMetrics()])
  }
}

export const traceReaders: Family = {
  family: 'Reading the traces',
  attacks: [
    {
      attack:
        'looking for what was read, said, typed and sent: addresses of resources, arguments, questions, answers, errors',
      async run() {
        const told = collector()
        const server = createServer({ name: 'people', version: '1', store: { ...memoryStore(), shared: true } })
        onTestFinished(() => server.close())
        server.resource('people://{number}/file', {}, () => 'a file of 078-05-1120')
        server.tool('ask', {}, async (_input, ctx) =>
          String(await ctx.elicit({ question: 'Is it 078-05-1120?', schema: String })),
        )
        server.tool('fail', {}, () => {
          throw new Error('078-05-1120 is not there')
        })
        const client = createTestClient(server, { wire: 'rounds', answer: () => '078-05-1120' })
        onTestFinished(() => client.close())
        const read = (uri: string) => client.request('resources/read', { uri }).catch(() => {})
        await read('people://078-05-1120/file')
        await read('people://078-05-1120')
        await client.callTool('ask', { of: '078-05-1120' })
        await client.callTool('fail', { of: '078-05-1120' }).catch(() => {})
        await client.callTool('078-05-1120', {}).catch(() => {})
        if ((await told()).includes('078-05')) throw new Error(`It has: ${await told()}`)
        if (!(await told()).includes('people://{number}/file')) throw new Error('It has no template.')
        return 'nowhere: a resource is named by its template'
      },
    },
  ],
}
