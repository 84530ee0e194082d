// `defineWidget()`: a page that shows an ask where a plain form would not do, and the form that stands in for it elsewhere.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AskSchema, Content, FormSchema } from '@beckon/core'
import { isWidgetName, viewMimeType, widgetLimits, widgetUri } from '@beckon/core/widgets'
import type { Widget } from '../author/widget.js'
import { carry } from './carry.js'
import type { ConnectWidget } from './page/connect-widget.js'
import { pageOf } from './page-of.js'

/** A flat form for hosts that show no widget, and the way between it and an answer. */
export interface WidgetForm<S extends FormSchema = FormSchema> {
  readonly schema: S
  /** The answer that the content of the form stands for; the widget's schema checks it. */
  toValue(content: Content): unknown
  /** The content that stands for proposed values. */
  toContent?(value: unknown): Content
}

interface Described<S extends AskSchema> {
  /** Letters, digits and dashes: it names the page in addresses. */
  readonly name: string
  /** What the widget answers. It may be nested where it validates by itself, as those of Zod, Valibot and ArkType do. */
  readonly schema: S
  /** What people fill in where no widget is shown. Default: the schema's own form where it is flat, else one field of JSON. */
  readonly form?: WidgetForm
  readonly title?: string
}

/** What a widget of ours may do beside. */
interface Internals {
  readonly uploads?: true
}

/** A page of its own, or a module that makes one: as text, as a file, or as a function that uses nothing around it. */
export type WidgetOptions<S extends AskSchema> = Described<S> &
  (
    | { readonly html: string | URL; readonly module?: undefined }
    | { readonly module: string | URL | ((connect: ConnectWidget) => void); readonly html?: undefined }
  )

/**
 * A widget, for `createServer({ widgets: [...] })` and `ctx.elicit({ question, widget })`. Its page is the same for everybody
 * who is asked: what differs from ask to ask is given as `data`.
 * @example
 * const seats = defineWidget({
 *   name: 'seats',
 *   schema: z.object({ seats: z.array(z.object({ row: z.number(), seat: z.number() })) }),
 *   html: new URL('./seats.html', import.meta.url),
 * })
 */
export function defineWidget<S extends AskSchema, D = unknown>(options: WidgetOptions<S>): Widget<S, D> {
  return widgetOf(options)
}

/** The same for those of ours. */
export function widgetOf<S extends AskSchema, D = unknown>(
  options: WidgetOptions<S>,
  internals: Internals = {},
): Widget<S, D> {
  const { name, schema, form, title } = options
  if (!isWidgetName(name))
    throw new TypeError(`"${name}" is not a name for a widget: use small letters, digits and dashes, 64 at most.`)
  const page = pageOf({ name: title ?? name, ...sourceOf(options) })
  const bytes = Buffer.byteLength(page)
  if (bytes > widgetLimits.pageBytes)
    throw new TypeError(
      `The page of the widget "${name}" has ${bytes} bytes, and at most ${widgetLimits.pageBytes} can be sent.`,
    )
  const uri = widgetUri(name)
  return {
    name,
    title,
    schema,
    page,
    digest: createHash('sha256').update(page).digest('base64url'),
    uri,
    ...internals,
    resource: connect => ({ contents: [{ uri, mimeType: viewMimeType, text: page, _meta: viewMeta(connect) }] }),
    meta: viewMeta(),
    carry: ask => carry(ask, { schema, form }),
  }
}

/** Nothing from outside, and no permission. */
function viewMeta(connect?: string): Record<string, unknown> {
  const connectDomains = connect === undefined ? [] : [connect]
  return {
    ui: { csp: { connectDomains, resourceDomains: [], frameDomains: [], baseUriDomains: [] }, prefersBorder: true },
  }
}

function sourceOf({ html, module }: WidgetOptions<AskSchema>): { html?: string; module?: string } {
  if (html !== undefined) return { html: textOf(html) }
  return { module: typeof module === 'function' ? `(${module})(connectWidget)` : textOf(module) }
}

function textOf(given: string | URL): string {
  return typeof given === 'string' ? given : readFileSync(given, 'utf8')
}
