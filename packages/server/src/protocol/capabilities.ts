import { uiExtension, viewMimeType } from '@beckon/core/widgets'
import type { ClientCapabilities, Incoming } from '../call/incoming.js'

/** The name under which clients and servers declare tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** The ways in which a client can show an ask to a person. */
export interface ElicitationModes {
  readonly form: boolean
  readonly url: boolean
}

/** Clients that declare elicitation although nobody is there to answer: by name, and by version where that matters. */
export interface Quirk {
  readonly client: string | RegExp
  readonly version?: RegExp
  /** It is asked all the same, except where a person has to be present. */
  readonly answersItself?: true
}

/** What a client can ask a person, for a request; undefined when it cannot. An empty capability means forms. */
export function elicitationModes(
  { capabilities, client }: Pick<Incoming, 'capabilities' | 'client'>,
  quirks: readonly Quirk[],
): ElicitationModes | undefined {
  const { elicitation } = capabilities
  if (!isObject(elicitation) || quirks.some(quirk => !quirk.answersItself && fits(quirk, client))) return undefined
  const form = isObject(elicitation.form) || Object.keys(elicitation).length === 0
  const url = isObject(elicitation.url)
  return form || url ? { form, url } : undefined
}

/** Whether a client shows the pages of this server. */
export function showsViews({ extensions }: ClientCapabilities): boolean {
  const { mimeTypes } = (extensions?.[uiExtension] ?? {}) as { mimeTypes?: unknown }
  return Array.isArray(mimeTypes) && mimeTypes.includes(viewMimeType)
}

/** Whether a client shows a form that it is asked for in a page that the ask names. */
export function rendersAsks(capabilities: ClientCapabilities): boolean {
  const { elicitation } = (capabilities.extensions?.[uiExtension] ?? {}) as { elicitation?: unknown }
  return (
    isObject(elicitation) &&
    showsViews(capabilities) &&
    elicitationModes({ capabilities, client: undefined }, [])?.form === true
  )
}

/** Whether a client is known to answer by itself. */
export function answersItself({ client }: Pick<Incoming, 'client'>, quirks: readonly Quirk[]): boolean {
  return quirks.some(quirk => quirk.answersItself && fits(quirk, client))
}

/** What a client would have to declare for a kind of ask. */
export function requiredCapabilities(kind: 'confirm' | 'form' | 'url' | 'sample' | 'roots'): ClientCapabilities {
  switch (kind) {
    case 'url':
      return { elicitation: { url: {} } }
    case 'sample':
      return { sampling: {} }
    case 'roots':
      return { roots: {} }
    default:
      return { elicitation: { form: {} } }
  }
}

function fits(quirk: Quirk, client: Incoming['client']): boolean {
  if (client === undefined) return false
  const named = typeof quirk.client === 'string' ? quirk.client === client.name : quirk.client.test(client.name)
  return named && (quirk.version?.test(client.version) ?? true)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
