// What the views of a server's widgets need of it: their pages, as resources, and the tools through which they answer and search.
// The answerer takes calls of those tools before anything runs.
import { given } from '@beckon/core'
import { findTool, maxSearchChars, viewMimeType } from '@beckon/core/widgets'
import { answerTool } from '../wires/app-asks.js'
import type { ServerOptions } from './beckon-server.js'
import type { ToolConfig } from './definitions.js'
import type { Registry } from './registry.js'

type Widgets = NonNullable<ServerOptions['widgets']>

/** @param origin Where our own pages are, which the page of an upload sends to; undefined where this server takes no files. */
export function addViews(
  registry: Registry,
  widgets: Widgets,
  origin: (() => Promise<string | undefined>) | undefined,
): void {
  for (const { uri, name, title, meta, resource, uploads } of widgets)
    registry.addResource(
      uri,
      [],
      // Where an upload is sent to is known once its page is read.
      given({ name, title, mimeType: viewMimeType, _meta: uploads ? undefined : meta }),
      async () => resource(uploads && (await origin?.())),
    )
  registry.addTool(answerTool, [], answerToolConfig, () => undefined)
  registry.addTool(findTool, [], findToolConfig, () => undefined)
}

const answerToolConfig: ToolConfig = {
  title: 'Answer',
  description: 'For the views of this server alone: brings what a person answered there.',
  input: {
    type: 'object',
    properties: {
      handle: { type: 'string' },
      action: { type: 'string', enum: ['accept', 'decline', 'cancel'] },
      content: { type: 'object' },
    },
    required: ['handle', 'action'],
  },
  _meta: { ui: { visibility: ['app'] } },
}

const findToolConfig: ToolConfig = {
  title: 'Search options',
  description: 'For the views of this server alone: finds options while a person types there.',
  input: {
    type: 'object',
    properties: { handle: { type: 'string' }, search: { type: 'string', maxLength: maxSearchChars } },
    required: ['handle', 'search'],
  },
  annotations: { readOnly: true },
  _meta: { ui: { visibility: ['app'] } },
}
