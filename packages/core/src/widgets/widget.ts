// How an ask names the widget that shows it, for every host: an MCP App's, and the inbox.
import type { Form } from '../forms/index.js'

/** Where a request says which widget shows it, in `_meta`. */
export const widgetMeta = 'beckon/widget'

/** The extension under which clients and servers declare that they have views. */
export const uiExtension = 'io.modelcontextprotocol/ui'

/** What a view is, as a resource. */
export const viewMimeType = 'text/html;profile=mcp-app'

/** The one field of a form that carries an answer of any shape, as JSON. */
export const jsonField = 'json'

/** JSON, as a widget is given it. */
export type WidgetJson =
  | string
  | number
  | boolean
  | null
  | readonly WidgetJson[]
  | { readonly [name: string]: WidgetJson }

/** What a widget is told about an ask beside its message and its form. */
export interface WidgetUse {
  readonly name: string
  /** What the author gives the widget to show. */
  readonly data?: WidgetJson
  /** The answer is one field of JSON: `jsonField`. */
  readonly json?: true
  /** Stands for options that its page may search while someone types, through `findTool`. */
  readonly find?: string
  /** The one origin that its page sends something to, beside its host. */
  readonly connect?: string
}

/** The tool through which a page searches options. */
export const findTool = 'beckon_find'

/** One of the options that a search found. */
export interface FoundOption {
  readonly value: string
  readonly label: string
}

/** No search has more characters; what is longer is cut off. */
export const maxSearchChars = 200

/** The same on a desk, which has the page of the widget by its digest. */
export interface WidgetOnDesk extends WidgetUse {
  /** SHA-256 of the page, in base64url. */
  readonly page: string
}

/** How much a widget may be, and be given. */
export const widgetLimits: { readonly pageBytes: number; readonly dataBytes: number } = {
  pageBytes: 256 * 1024,
  dataBytes: 192 * 1024,
}

const namePattern = /^[a-z][a-z0-9-]{0,63}$/
const originPattern = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
const digestPattern = /^[A-Za-z0-9_-]{43}$/

export function isWidgetName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name)
}

export function isWidgetPage(digest: unknown): digest is string {
  return typeof digest === 'string' && digestPattern.test(digest)
}

/** The widget that a request on a desk names in its `_meta`; undefined where it names none that can be shown. */
export function widgetIn(meta: unknown): WidgetOnDesk | undefined {
  const given = typeof meta === 'object' && meta !== null && widgetMeta in meta ? meta[widgetMeta] : undefined
  if (typeof given !== 'object' || given === null || !('name' in given) || !('page' in given)) return undefined
  const { name, page } = given
  if (!isWidgetName(name) || !isWidgetPage(page)) return undefined
  const data = 'data' in given && isJson(given.data) ? { data: given.data } : {}
  const find = 'find' in given && typeof given.find === 'string' ? { find: given.find } : {}
  const connect = 'connect' in given && isConnectOrigin(given.connect) ? { connect: given.connect } : {}
  return { name, page, ...data, ...('json' in given && given.json === true && { json: true }), ...find, ...connect }
}

/** Whether this is an origin that a policy can name as it is: `https://shop.example`, and no pattern. */
export function isConnectOrigin(origin: unknown): origin is string {
  return typeof origin === 'string' && origin.length <= 300 && originPattern.test(origin)
}

/** Why a widget cannot be given something; undefined where it can. */
export function widgetDataProblem(data: unknown): string | undefined {
  if (data === undefined) return undefined
  if (!isJson(data)) return 'What a widget is given must be JSON.'
  const bytes = new TextEncoder().encode(JSON.stringify(data)).length
  return bytes <= widgetLimits.dataBytes
    ? undefined
    : `What a widget is given has ${bytes} bytes, and at most ${widgetLimits.dataBytes} can be sent.`
}

export function isJson(value: unknown): value is WidgetJson {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson)
}

/** The address of a widget's page. */
export function widgetUri(name: string): string {
  return `ui://beckon/${name}`
}

/** The form that carries an answer of any shape. */
export function jsonForm(title: string, description: string): Form {
  return {
    type: 'object',
    properties: { [jsonField]: { type: 'string', title, description } },
    required: [jsonField],
  }
}
