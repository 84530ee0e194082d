import { UriTemplate } from '@modelcontextprotocol/server'
import { type ParameterHeader, parameterHeadersOf } from '../http/parameter-headers.js'
import type { Middleware } from '../middleware/middleware.js'
import type {
  PromptConfig,
  PromptHandler,
  ResourceConfig,
  ResourceHandler,
  ToolConfig,
  ToolHandler,
} from './definitions.js'
import { type ReadSchema, readSchema, type ToolSchema } from './schemas.js'

export interface Tool {
  readonly name: string
  readonly config: ToolConfig
  readonly middleware: readonly Middleware[]
  readonly input: ReadSchema | undefined
  readonly output: ReadSchema | undefined
  readonly parameterHeaders: readonly ParameterHeader[] | undefined
  readonly handler: ToolHandler<ToolSchema>
  /** As `tools/list` shows it. */
  readonly listed: Record<string, unknown>
}

export interface Prompt {
  readonly name: string
  readonly config: PromptConfig
  readonly middleware: readonly Middleware[]
  readonly handler: PromptHandler
}

export interface Resource {
  /** A URI, or a URI template. */
  readonly uri: string
  readonly template: UriTemplate | undefined
  readonly config: ResourceConfig
  readonly middleware: readonly Middleware[]
  readonly handler: ResourceHandler
}

/** What a server offers, by name. */
export class Registry {
  readonly tools: Map<string, Tool> = new Map()
  readonly prompts: Map<string, Prompt> = new Map()
  readonly resources: Map<string, Resource> = new Map()
  readonly templates: Map<string, Resource> = new Map()

  addTool(name: string, middleware: readonly Middleware[], config: ToolConfig, handler: ToolHandler<ToolSchema>): void {
    if (!/^[\w.-]{1,128}$/.test(name))
      throw new TypeError(`"${name}" is no name for a tool: use letters, digits, _, - and . only.`)
    if (this.tools.has(name)) throw new TypeError(`There is a tool "${name}" already.`)
    const input = config.input && readSchema(config.input, 'input')
    const output = config.output && readSchema(config.output, 'output')
    this.tools.set(name, {
      name,
      config,
      middleware,
      input,
      output,
      parameterHeaders: input && parameterHeadersOf(input.json),
      handler,
      listed: listTool(name, config, input, output),
    })
  }

  addPrompt(name: string, middleware: readonly Middleware[], config: PromptConfig, handler: PromptHandler): void {
    if (this.prompts.has(name)) throw new TypeError(`There is a prompt "${name}" already.`)
    this.prompts.set(name, { name, config, middleware, handler })
  }

  addResource(uri: string, middleware: readonly Middleware[], config: ResourceConfig, handler: ResourceHandler): void {
    const isTemplate = UriTemplate.isTemplate(uri)
    const resources = isTemplate ? this.templates : this.resources
    if (resources.has(uri)) throw new TypeError(`There is a resource "${uri}" already.`)
    resources.set(uri, { uri, template: isTemplate ? new UriTemplate(uri) : undefined, config, middleware, handler })
  }

  /** The resource that a URI names, with the variables of its template. */
  findResource(uri: string): { resource: Resource; vars: Record<string, string> } | undefined {
    const resource = this.resources.get(uri)
    if (resource !== undefined) return { resource, vars: {} }
    for (const template of this.templates.values()) {
      const vars = template.template?.match(uri)
      if (vars)
        return {
          resource: template,
          vars: Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)])),
        }
    }
    return undefined
  }
}

function listTool(
  name: string,
  config: ToolConfig,
  input: ReadSchema | undefined,
  output: ReadSchema | undefined,
): Record<string, unknown> {
  const { title, description, annotations = {}, _meta } = config
  const { readOnly, destructive, idempotent, openWorld, requiresConfirmation, title: hint } = annotations
  const hints = {
    title: hint,
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  }
  const meta = { ..._meta, ...(requiresConfirmation && { 'beckon/requiresConfirmation': true }) }
  return withoutUndefined({
    name,
    title,
    description,
    inputSchema: input?.json ?? { type: 'object', properties: {} },
    outputSchema: output?.json,
    annotations: Object.values(hints).some(value => value !== undefined) ? withoutUndefined(hints) : undefined,
    _meta: Object.keys(meta).length > 0 ? meta : undefined,
  })
}

export function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}
