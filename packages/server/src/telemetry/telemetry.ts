// Metrics and traces through OpenTelemetry's API. Without an SDK in the program every one of these does nothing. Nothing
// that a person or a model wrote is an attribute: names, kinds and counts only.
import {
  type Counter,
  context,
  createNoopMeter,
  type Histogram,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type UpDownCounter,
} from '@opentelemetry/api'

/** How an ask ended, as much of it as is told. */
type EndedHow = { readonly kind: 'outcome'; readonly outcome: { readonly action: string } } | { readonly kind: string }

/** The trace that a request belongs to, as its `_meta` has it. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** What a program with an SDK of OpenTelemetry can see of a server. Make one when the server is made, not before. */
export class Telemetry {
  readonly #open: UpDownCounter
  readonly #answered: Histogram
  readonly #rounds: Counter
  readonly #replays: Counter
  readonly #rejections: Counter
  readonly #store: Histogram
  readonly #tracer = trace.getTracer('beckon')
  /** Whether there was an SDK that takes measurements when this was made. */
  readonly isMeasured: boolean

  constructor() {
    const meter = metrics.getMeter('beckon')
    this.isMeasured = meter !== createNoopMeter()
    this.#open = meter.createUpDownCounter('beckon.asks.open', { description: 'Asks that nobody has answered yet.' })
    this.#answered = meter.createHistogram('beckon.ask.duration', {
      description: 'From an ask to its end.',
      unit: 's',
    })
    this.#rounds = meter.createCounter('beckon.rounds', {
      description: 'Requests in calls that are answered in rounds.',
    })
    this.#replays = meter.createCounter('beckon.replays', {
      description: 'Handlers that were entered again, by why their run was given up.',
    })
    this.#rejections = meter.createCounter('beckon.rejections', {
      description: 'States that were refused: forged, expired, for something else, or answered before.',
    })
    this.#store = meter.createHistogram('beckon.store.duration', {
      description: 'How long the store takes.',
      unit: 's',
    })
  }

  asked(wire: string, kind: string): void {
    this.#open.add(1, { 'beckon.wire': wire, 'beckon.ask.kind': kind })
  }

  /** An ask that was open here has ended after so long; without an ending, it was withdrawn or let go. */
  ended(wire: string, kind: string, elapsedMs: number, ending?: EndedHow): void {
    this.#open.add(-1, { 'beckon.wire': wire, 'beckon.ask.kind': kind })
    this.answered(wire, kind, elapsedMs, ending)
  }

  /** An ask has ended after so long, wherever it was open. */
  answered(wire: string, kind: string, elapsedMs: number, ending?: EndedHow): void {
    const about = { 'beckon.wire': wire, 'beckon.ask.kind': kind, 'beckon.ask.outcome': outcomeOf(ending) }
    this.#answered.record(elapsedMs / 1_000, about)
  }

  round(): void {
    this.#rounds.add(1)
  }

  replayed(cause: string): void {
    this.#replays.add(1, { 'beckon.replay.cause': cause })
  }

  rejected(): void {
    this.#rejections.add(1)
  }

  stored(operation: string, elapsedMs: number, isFailed: boolean): void {
    this.#store.record(elapsedMs / 1_000, { 'beckon.store.operation': operation, 'beckon.store.failed': isFailed })
  }

  /** Runs something as a span of the request's own trace. What it starts belongs to the span, too. */
  trace<T>(name: string, parent: TraceContext | undefined, run: () => Promise<T>): Promise<T> {
    const from = parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, parent)
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER }, from)
    if (!span.isRecording()) return parent === undefined ? run() : context.with(trace.setSpan(from, span), run)
    return context.with(trace.setSpan(from, span), () => finish(span, run()))
  }
}

function finish<T>(span: Span, running: Promise<T>): Promise<T> {
  return running.then(
    result => {
      span.end()
      return result
    },
    (error: unknown) => {
      // Its name and no more: a message may quote what a person sent.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      span.end()
      throw error
    },
  )
}

function outcomeOf(ending: EndedHow | undefined): string {
  if (ending === undefined) return 'withdrawn'
  return 'outcome' in ending ? ending.outcome.action : ending.kind
}

/** The trace context in a request's `_meta`; undefined where there is none. */
export function traceContextIn(meta: unknown): TraceContext | undefined {
  if (typeof meta !== 'object' || meta === null || !('traceparent' in meta)) return undefined
  const { traceparent, tracestate, baggage } = meta as Record<string, unknown>
  if (typeof traceparent !== 'string') return undefined
  return {
    traceparent,
    ...(typeof tracestate === 'string' && { tracestate }),
    ...(typeof baggage === 'string' && { baggage }),
  }
}
