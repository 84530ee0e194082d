// With the real SDK of OpenTelemetry, as a program would set it up: before it makes its server.
import { metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createServer } from '../src/index.js'
import { memoryStore } from '../src/store/index.js'
import { createTestClient, createTestClock } from '../src/test/index.js'

const spans = new InMemorySpanExporter()
const tracing = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
tracing.register()
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })
const metering = new MeterProvider({ readers: [reader] })
metrics.setGlobalMeterProvider(metering)

beforeEach(() => {
  spans.reset()
})

afterAll(async () => {
  await metering.shutdown()
  await tracing.shutdown()
})

async function measured(): Promise<Record<string, { attributes: object; value: unknown }[]>> {
  exporter.reset()
  await reader.forceFlush()
  const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: found }) => found))
  return Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) => ({ attributes, value })),
    ]),
  )
}

function createShop() {
  const server = createServer({ name: 'shop', version: '1', store: { ...memoryStore(), shared: true } })
  server.tool('order', {}, async (_, ctx) => {
    const color = await ctx.elicit({ question: 'Which color, for Ada?', schema: ['red', 'green'] })
    trace.getTracer('shop').startSpan('warehouse').end()
    return ctx.text(String(color))
  })
  return server
}

describe('telemetry', () => {
  it('counts asks, rounds, replays and rejections, and times answers and the store', async () => {
    const server = createShop()
    const client = createTestClient(server, { wire: 'rounds', answer: () => 'green' })
    await client.callTool('order')
    await client
      .request('tools/call', { name: 'order', arguments: {}, requestState: 'forged', inputResponses: {} })
      .catch(() => {})
    const found = await measured()
    const about = { 'beckon.wire': 'rounds', 'beckon.ask.kind': 'form' }
    expect(found['beckon.asks.open']).toEqual([{ attributes: about, value: 0 }])
    // The client of a test lets the handler go with every round, and has it replayed.
    for (const outcome of ['withdrawn', 'accept'])
      expect(found['beckon.ask.duration']).toContainEqual({
        attributes: { ...about, 'beckon.ask.outcome': outcome },
        value: expect.objectContaining({ count: 1 }),
      })
    expect(found['beckon.rounds']?.[0]?.value).toBe(3)
    expect(found['beckon.replays']?.[0]?.value).toBe(1)
    expect(found['beckon.rejections']?.[0]?.value).toBe(1)
    expect(found['beckon.store.duration']?.map(({ attributes }) => attributes)).toContainEqual({
      'beckon.store.operation': 'append',
      'beckon.store.failed': false,
    })
    expect(
      JSON.stringify([found, spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes])]),
    ).not.toMatch(/Ada|green/)
    await client.close()
    await server.close()
  })

  it.each(['rounds', 'tasks'] as const)(
    'knows how long an answer took, wherever it was asked and whoever replays the call: %s',
    async wire => {
      const clock = createTestClock()
      const shared = memoryStore({ clock })
      const createNode = () => {
        const server = createServer({ name: 'shop', version: '1', store: { ...shared, shared: true }, clock })
        server.tool('order', { task: 'optional' }, async (_, ctx) => ctx.text(`${await ctx.confirm('Really?')}`))
        return { server, client: createTestClient(server, { wire, replay: 'when-needed', principal: 'ada' }) }
      }
      const about = { 'beckon.wire': wire, 'beckon.ask.kind': 'confirm', 'beckon.ask.outcome': 'accept' }
      const answers = async () => {
        const points = (await measured())['beckon.ask.duration'] ?? []
        return points.find(({ attributes }) => JSON.stringify(attributes) === JSON.stringify(about))?.value
      }
      const first = createNode()
      const begun = await first.client.request('tools/call', { name: 'order', arguments: {} })
      await first.server.close()
      await clock.advance(30_000)
      const second = createNode()
      const taskId = wire === 'tasks' ? String(begun.taskId) : undefined
      const { inputRequests } = taskId === undefined ? begun : await second.client.request('tasks/get', { taskId })
      const inputResponses = { [`${Object.keys(inputRequests as object)[0]}`]: { action: 'accept', content: {} } }
      await (taskId === undefined
        ? second.client.request('tools/call', {
            name: 'order',
            arguments: {},
            requestState: begun.requestState,
            inputResponses,
          })
        : second.client.request('tasks/update', { taskId, inputResponses }))
      await clock.advance(0)
      expect(await answers()).toMatchObject({ count: 1, sum: 30 })
      await second.server.close()
    },
  )

  it('names what is read by its template, since an address may say what nobody else is to know', async () => {
    const server = createServer({ name: 'people', version: '1' })
    server.resource('people://{number}/file', {}, () => 'a file').resource('people://all', {}, () => 'all')
    const client = createTestClient(server, { wire: 'rounds' })
    await client.request('resources/read', { uri: 'people://078-05-1120/file' })
    await client.request('resources/read', { uri: 'people://all' })
    const names = spans.getFinishedSpans().map(({ name }) => name)
    expect(names).toEqual(['resources/read people://{number}/file', 'resources/read people://all'])
    await server.close()
  })

  it('goes on with the trace that the request names, and so does what the handler starts', async () => {
    const server = createShop()
    const client = createTestClient(server, { wire: 'rounds', replay: 'when-needed', answer: () => 'green' })
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const _meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'a=1' }
    const first = await client.request('tools/call', { name: 'order', arguments: {}, _meta })
    const [id] = Object.keys(first.inputRequests as object)
    await client.request('tools/call', {
      name: 'order',
      arguments: {},
      requestState: first.requestState,
      inputResponses: { [`${id}`]: { action: 'accept', content: { value: 'red' } } },
      _meta,
    })
    const finished = spans.getFinishedSpans()
    expect(finished.map(({ name }) => name).sort()).toEqual(['tools/call order', 'tools/call order', 'warehouse'])
    expect(new Set(finished.map(span => span.spanContext().traceId))).toEqual(new Set([traceId]))
    const asked = finished.filter(({ name }) => name === 'tools/call order')
    expect(asked.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(Array(2).fill('b7ad6b7169203331'))
    await client.close()
    await server.close()
  })
})
