// What asking needs to know of a widget. `beckon/widgets` makes them; nothing here imports it.
import type { AskSchema } from '@beckon/core'
import { type WidgetJson, type WidgetUse, widgetDataProblem } from '@beckon/core/widgets'

/** What of an ask decides how it travels. */
export interface CarryOptions {
  readonly schema?: AskSchema | undefined
  readonly jsonSchema?: object | undefined
  readonly allow?: readonly string[] | undefined
  readonly initial?: unknown
}

/** An ask that a form can carry. */
export interface CarriedAsk {
  readonly schema: AskSchema
  /** The answer is one field of JSON. */
  readonly isJson: boolean
  readonly initial: unknown
}

/** A page that shows an ask, as `defineWidget` of `beckon/widgets` makes it. */
export interface Widget<S extends AskSchema = AskSchema, D = unknown> {
  readonly name: string
  readonly title: string | undefined
  readonly schema: S
  /** The whole document. */
  readonly page: string
  /** SHA-256 of it, in base64url. */
  readonly digest: string
  readonly uri: string
  /** Its page sends files to the server itself: it is given where to, and with what token. */
  readonly uploads?: true
  /** `_meta` of the page as a resource. */
  readonly meta: Record<string, unknown>
  /** The page as a resource; `connect` is the one origin that it may send something to. */
  resource(connect?: string): { contents: unknown[] }
  carry(ask: CarryOptions): CarriedAsk
  /** Only in types: what the widget is given to show. */
  readonly '~data'?: D
}

/** The widgets of a server, by name. */
export type Widgets = ReadonlyMap<string, Widget>

interface WidgetRequest extends CarryOptions {
  readonly widget?: Widget | undefined
  readonly data?: unknown
  readonly find?: string | undefined
}

/** @throws TypeError for a widget that the server does not serve */
export function checkServed(widget: Widget, known: Widgets | undefined): void {
  if (known?.get(widget.name) === widget) return
  throw new TypeError(`The widget "${widget.name}" is served by no one: createServer({ widgets: [${widget.name}] }).`)
}

/**
 * An ask as its form can carry it, with what its widget is told.
 * @throws TypeError for a widget that the server does not serve
 */
export function withWidget<R extends WidgetRequest>(
  request: R,
  widget: Widget,
  known: Widgets | undefined,
): R & { schema: AskSchema; initial: unknown; use: WidgetUse } {
  const { name } = widget
  checkServed(widget, known)
  const problem = widgetDataProblem(request.data)
  if (problem !== undefined) throw new TypeError(problem)
  const { schema, isJson, initial } = widget.carry(request)
  const data = request.data as WidgetJson | undefined
  const { find } = request
  const use: WidgetUse = {
    name,
    ...(data !== undefined && { data }),
    ...(isJson && { json: true }),
    ...(find !== undefined && { find }),
  }
  return { ...request, schema, initial, use }
}
