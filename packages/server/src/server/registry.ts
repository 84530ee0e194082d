import { given } from '@beckon/core'
import type { Listed } from '../author/caller.js'
import type { Context } from '../author/context.js'
import { checkKnown } from '../author/known-options.js'
import type { Middleware, Registered } from '../author/middleware.js'
import { checkApproval } from '../call/ask-policy.js'
import { type ParameterHeader, parameterHeadersOf } from '../http/parameter-headers.js'
import { listingRules } from '../middleware/listing-rules.js'
import { checkPersonRule } from '../person/rule.js'
import {
  isGuarded,
  type PromptConfig,
  type PromptHandler,
  type ResourceConfig,
  type ResourceHandler,
  type ToolConfig,
} from './definitions.js'
import { type ReadSchema, readSchema } from './schemas.js'
import { UriTemplate } from './uri-template.js'

export interface Tool {
  readonly name: string
  readonly config: ToolConfig
  readonly middleware: readonly Middleware[]
  readonly input: ReadSchema | undefined
  readonly output: ReadSchema | undefined
  readonly parameterHeaders: readonly ParameterHeader[] | undefined
  readonly handler: AnyToolHandler
  /** As `tools/list` shows it. */
  readonly listed: Record<string, unknown>
}

/** A handler of any tool. The type of `server.tool` says what fits. */
export type AnyToolHandler = (input: never, ctx: Context<never>) => unknown

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

/** Anything that a list has. */
export type Offered = Tool | Prompt | Resource

/** The lists that clients are told about. */
export type ListName = 'tools' | 'prompts' | 'resources'

/** What a server offers, by name. */
export class Registry {
  readonly #hasDesk: boolean
  readonly tools: Map<string, Tool> = new Map()
  readonly prompts: Map<string, Prompt> = new Map()
  readonly resources: Map<string, Resource> = new Map()
  readonly templates: Map<string, Resource> = new Map()
  /** Before everything that is offered, now or later. */
  readonly middleware: Middleware[] = []
  /** What the middleware before something say about showing it. */
  readonly #rules = new WeakMap<Offered, Listed[]>()

  constructor({ hasDesk = false }: { hasDesk?: boolean } = {}) {
    this.#hasDesk = hasDesk
  }

  use(middleware: readonly Middleware[]): void {
    this.middleware.push(...middleware)
    for (const tool of this.tools.values()) this.#addRules(tool, { kind: 'tool', name: tool.name }, middleware)
    for (const prompt of this.prompts.values())
      this.#addRules(prompt, { kind: 'prompt', name: prompt.name }, middleware)
    for (const resources of [this.resources, this.templates])
      for (const resource of resources.values())
        this.#addRules(resource, { kind: 'resource', name: resource.uri }, middleware)
  }

  addTool(name: string, middleware: readonly Middleware[], config: ToolConfig, handler: AnyToolHandler): void {
    if (!/^[\w.-]{1,128}$/.test(name))
      throw new TypeError(`"${name}" is not a name for a tool: use letters, digits, _, - and . only.`)
    if (this.tools.has(name)) throw new TypeError(`There is a tool "${name}" already.`)
    if (typeof handler !== 'function')
      throw new TypeError(`The tool "${name}" has no handler. Write server.tool(name, options, handler).`)
    refuseUnknown(name, config)
    this.#checkApproval(name, config)
    const input = config.input && readSchema(config.input, 'input', `The tool "${name}"`)
    const output = config.output && readSchema(config.output, 'output', `The tool "${name}"`)
    const tool: Tool = {
      name,
      config,
      middleware,
      input,
      output,
      parameterHeaders: input && parameterHeadersOf(input.json),
      handler,
      listed: listTool(name, config, input, output),
    }
    this.#addRules(tool, { kind: 'tool', name }, [...this.middleware, ...middleware])
    this.tools.set(name, tool)
  }

  addPrompt(name: string, middleware: readonly Middleware[], config: PromptConfig, handler: PromptHandler): void {
    if (this.prompts.has(name)) throw new TypeError(`There is a prompt "${name}" already.`)
    const prompt: Prompt = { name, config, middleware, handler }
    this.#addRules(prompt, { kind: 'prompt', name }, [...this.middleware, ...middleware])
    this.prompts.set(name, prompt)
  }

  addResource(uri: string, middleware: readonly Middleware[], config: ResourceConfig, handler: ResourceHandler): void {
    const isTemplate = UriTemplate.isTemplate(uri)
    const resources = isTemplate ? this.templates : this.resources
    if (resources.has(uri)) throw new TypeError(`There is a resource "${uri}" already.`)
    const template = isTemplate ? new UriTemplate(uri) : undefined
    const resource: Resource = { uri, template, config, middleware, handler }
    this.#addRules(resource, { kind: 'resource', name: uri }, [...this.middleware, ...middleware])
    resources.set(uri, resource)
  }

  /** Takes something away. False when it was not there. Calls that run go on. */
  remove(kind: Registered['kind'], name: string): boolean {
    if (kind === 'tool') return this.tools.delete(name)
    if (kind === 'prompt') return this.prompts.delete(name)
    return this.resources.delete(name) || this.templates.delete(name)
  }

  /** What has to hold for a caller to be shown something. */
  rulesFor(offered: Offered): readonly Listed[] {
    const rules = this.#rules.get(offered) ?? []
    return offered.config.listed === undefined ? rules : [offered.config.listed, ...rules]
  }

  /** The lists that are not the same for every caller. */
  listsThatDiffer(): ListName[] {
    const differs = (entries: Iterable<Offered>) => Array.from(entries).some(entry => this.rulesFor(entry).length > 0)
    const lists: ListName[] = []
    if (differs(this.tools.values())) lists.push('tools')
    if (differs(this.prompts.values())) lists.push('prompts')
    if (differs([...this.resources.values(), ...this.templates.values()])) lists.push('resources')
    return lists
  }

  /** The resource that a URI names, with the variables of its template. */
  findResource(uri: string): { resource: Resource; vars: Record<string, string> } | undefined {
    const resource = this.resources.get(uri)
    if (resource !== undefined) return { resource, vars: {} }
    if (uri.length > maxMatchedLength) return undefined
    for (const template of this.templates.values()) {
      const vars = template.template?.match(uri)
      if (vars !== undefined) return { resource: template, vars }
    }
    return undefined
  }

  /** @throws TypeError for an approval that nobody could give */
  #checkApproval(tool: string, { approval }: ToolConfig): void {
    if (approval === undefined) return
    checkApproval(approval)
    if (!this.#hasDesk)
      throw new TypeError(`The tool "${tool}" has an approval, which is given on a desk: createServer({ desk }).`)
  }

  #addRules(offered: Offered, subject: Registered, middleware: readonly Middleware[]): void {
    const rules = middleware.flatMap(one => listingRules(one, subject))
    if (rules.length > 0) this.#rules.set(offered, [...(this.#rules.get(offered) ?? []), ...rules])
  }
}

/** What a template with several variables takes to match grows with a power of the length, and anyone can send a URI. */
const maxMatchedLength = 2_048

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
  const meta = {
    ...(isGuarded(annotations) && config.person !== 'unchecked' && { 'anthropic/requiresUserInteraction': true }),
    ..._meta,
    ...(requiresConfirmation && { 'beckon/requiresConfirmation': true }),
  }
  return given({
    name,
    title,
    description,
    inputSchema: input?.json ?? { type: 'object', properties: {} },
    outputSchema: output?.json,
    annotations: Object.values(hints).some(value => value !== undefined) ? given(hints) : undefined,
    _meta: Object.keys(meta).length > 0 ? meta : undefined,
  })
}

/** Every option of a tool, and no other: a record, so that the compiler misses none. */
const toolOptions: Record<keyof ToolConfig, true> = {
  title: true,
  description: true,
  input: true,
  output: true,
  annotations: true,
  task: true,
  timeoutMs: true,
  fallback: true,
  person: true,
  urlError: true,
  approval: true,
  report: true,
  widget: true,
  listed: true,
  use: true,
  _meta: true,
}

const toolAnnotations: Record<keyof NonNullable<ToolConfig['annotations']>, true> = {
  title: true,
  readOnly: true,
  destructive: true,
  idempotent: true,
  openWorld: true,
  requiresConfirmation: true,
}

/** The official SDK's words for what has another name here. */
const otherWords: Readonly<Record<string, string>> = {
  inputSchema: 'input',
  outputSchema: 'output',
  readOnlyHint: 'readOnly',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'openWorld',
}

/** An option that nobody reads is a mistake that nobody sees. */
function refuseUnknown(tool: string, config: ToolConfig): void {
  checkPersonRule(config.person, `the tool "${tool}"`)
  checkKnown(config, toolOptions, `The tool "${tool}" has an option`, otherWords)
  checkKnown(config.annotations ?? {}, toolAnnotations, `The tool "${tool}" has an annotation`, otherWords)
}
