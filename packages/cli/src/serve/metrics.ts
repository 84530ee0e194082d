// The same instruments that any program with an SDK of OpenTelemetry sees, as Prometheus reads them.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { metrics as api } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { MonitoringOptions } from './monitoring.js'

export interface Metrics {
  readonly serve: MonitoringOptions['metrics']
  close(): Promise<void>
}

/** Measures this process from now on: to be called before what is measured is made. */
export function startMetrics(): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ readers: [exporter] })
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
