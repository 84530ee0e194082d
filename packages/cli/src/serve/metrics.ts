// The same instruments that any program with an SDK of OpenTelemetry sees, as Prometheus reads them.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { metrics as api } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { AggregationType, MeterProvider, type ViewOptions } from '@opentelemetry/sdk-metrics'
import type { MonitoringOptions } from './monitoring.js'

export interface Metrics {
  readonly serve: MonitoringOptions['metrics']
  close(): Promise<void>
}

/** A store answers within milliseconds, and people within hours. */
const views: ViewOptions[] = [
  seconds('beckon.store.duration', [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  seconds('beckon.ask.duration', [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800]),
]

/** Measures this process from now on: to be called before what is measured is made. */
export function startMetrics(): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutTargetInfo: true })
  const provider = new MeterProvider({ readers: [exporter], views })
  api.setGlobalMeterProvider(provider)
  const meter = provider.getMeter('beckon')
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  meter
    .createObservableGauge('beckon.process.memory', { description: 'What the process takes.', unit: 'By' })
    .addCallback(result => {
      const { rss, heapUsed } = process.memoryUsage()
      result.observe(rss, { 'beckon.process.part': 'rss' })
      result.observe(heapUsed, { 'beckon.process.part': 'heap' })
    })
  meter
    .createObservableGauge('beckon.process.delay', {
      description: 'How late the event loop was since the last look, 99 % of the time.',
      unit: 's',
    })
    .addCallback(result => {
      result.observe(delay.percentile(99) / 1e9)
      delay.reset()
    })
  return {
    serve: (incoming, outgoing) => exporter.getMetricsRequestHandler(incoming, outgoing),
    async close() {
      delay.disable()
      api.disable()
      await provider.shutdown()
    },
  }
}

function seconds(instrumentName: string, boundaries: number[]): ViewOptions {
  return { instrumentName, aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries } } }
}
