// Actions as tools. A tool stays callable while its application is away, so that anyone who comes back to a call of it gets
// that call's end and not "unknown tool"; it is listed only to the owner of an application that is there.
import type { BeckonServer, ToolHandler, ToolSchema } from 'beckon'
import type { AppSession } from '../sessions/app-session.js'
import { type Owner, ownerOf } from '../sessions/claim.js'
import type { ActionOffer } from '../wire/offer.js'
import { type ActionRunner, runAction } from './run-action.js'
import { toolConfigOf } from './tool-config.js'

interface Target {
  readonly session: AppSession
  readonly action: ActionOffer
}

interface AppTool {
  /** What it was registered with. */
  readonly digest: string
  /** What it is of, for who comes when that is gone. */
  readonly appId: string
  readonly action: string
  /** By owner: two of them may have applications of the same id. */
  targets: Map<Owner, Target>
}

/** How many tools may stay whose actions are gone. */
const maxGhosts = 256

export class AppTools {
  readonly #server: BeckonServer
  readonly #runner: ActionRunner
  readonly #log: (message: string) => void
  readonly #tools = new Map<string, AppTool>()
  readonly #warned = new Set<string>()
  #listed = ''

  constructor(server: BeckonServer, runner: ActionRunner, log: (message: string) => void) {
    this.#server = server
    this.#runner = runner
    this.#log = log
  }

  /** The name of an action's tool; undefined when it has none. */
  nameOf(session: AppSession, { name }: ActionOffer): string | undefined {
    const tool = toolName(session, name)
    const target = this.#tools.get(tool)?.targets.get(session.claim?.owner ?? null)
    return target?.session === session && target.action.name === name ? tool : undefined
  }

  /** Makes the tools what the claimed applications offer. */
  sync(sessions: readonly AppSession[]): void {
    const wanted = this.#collect(sessions)
    for (const [name, tool] of this.#tools) if (!wanted.has(name)) tool.targets = new Map()
    for (const [name, targets] of wanted) this.#put(name, targets)
    this.#dropGhosts()
    const listed = JSON.stringify(Array.from(this.#tools, ([name, { targets }]) => [name, ownersListed(targets)]))
    if (listed !== this.#listed) this.#server.changed('tools')
    this.#listed = listed
  }

  #collect(sessions: readonly AppSession[]): Map<string, Map<Owner, Target>> {
    const wanted = new Map<string, Map<Owner, Target>>()
    for (const session of sessions) {
      for (const action of session.offer.actions) {
        const name = toolName(session, action.name)
        const targets = wanted.get(name) ?? new Map<Owner, Target>()
        const owner = session.claim?.owner ?? null
        if (!/^[\w.-]{1,128}$/.test(name))
          this.#warn(`"${name}" is not a valid tool name: call it by tesseron__invoke_action.`)
        else if (targets.has(owner)) this.#warn(`Two actions would be the tool ${name}: the one claimed first is.`)
        else wanted.set(name, targets.set(owner, { session, action }))
      }
    }
    return wanted
  }

  #put(name: string, targets: Map<Owner, Target>): void {
    const newest = [...targets.values()].at(-1)
    if (newest === undefined) return
    const config = toolConfigOf(newest.action)
    const isShared = Array.from(targets.values()).some(
      ({ action }) => JSON.stringify(action.outputSchema) !== JSON.stringify(newest.action.outputSchema),
    )
    // One owner's results must not be held against another's schema.
    if (isShared) delete config.output
    const digest = JSON.stringify([newest.action, isShared])
    const known = this.#tools.get(name)
    if (known?.digest === digest) {
      known.targets = targets
      return
    }
    const { action, session } = newest
    const tool: AppTool = { digest, appId: session.offer.app.id, action: action.name, targets }
    if (known !== undefined) this.#server.remove('tool', name)
    this.#tools.set(name, tool)
    this.#register(name, tool, config)
  }

  #register(name: string, tool: AppTool, config: ReturnType<typeof toolConfigOf>): void {
    const listed = (caller: { readonly principal: string | undefined }) =>
      tool.targets.get(ownerOf(caller))?.session.isConnected ?? false
    const handler: ToolHandler<ToolSchema | undefined> = (input, ctx) => {
      const target = tool.targets.get(ownerOf(ctx))
      const { id: appId } = target?.session.offer.app ?? { id: tool.appId }
      return runAction(this.#runner, { appId, name: target?.action.name ?? tool.action, input }, ctx)
    }
    try {
      this.#server.tool(name, { ...config, listed }, handler)
    } catch (error) {
      this.#warn(`The output schema of ${name} cannot be used: ${error instanceof Error ? error.message : error}`)
      const { output: _, ...rest } = config
      this.#server.tool(name, { ...rest, listed }, handler)
    }
  }

  #dropGhosts(): void {
    const ghosts = Array.from(this.#tools).filter(([, { targets }]) => targets.size === 0)
    for (const [name] of ghosts.slice(0, Math.max(0, ghosts.length - maxGhosts))) {
      this.#tools.delete(name)
      this.#server.remove('tool', name)
    }
  }

  #warn(message: string): void {
    if (this.#warned.has(message) || this.#warned.size > maxGhosts) return
    this.#warned.add(message)
    this.#log(message)
  }
}

/**
 * `todo__clear`. Threat: an application whose tool has the name of another's. What is before the first `__` is the id, so one
 * that has `__` in it, or ends with `_`, is written with hyphens, which no id has: `acme_-_bank__pay`. (Not with dots: models
 * take names without any, so that hosts write `_` for one, and two tools would be one again.)
 */
function toolName({ offer }: AppSession, action: string): string {
  return `${offer.app.id.replace(/_(?=_|$)/g, '_-')}__${action}`
}

function ownersListed(targets: ReadonlyMap<Owner, Target>): Owner[] {
  return Array.from(targets)
    .filter(([, { session }]) => session.isConnected)
    .map(([owner]) => owner)
}
