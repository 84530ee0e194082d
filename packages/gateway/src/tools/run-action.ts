// A tool call as an invocation, and its output as a tool's result.
import { isRecord, RpcError } from '@beckon/core/json-rpc'
import type { Clock, Context, ToolReturn } from 'beckon'
import type { AppSession } from '../sessions/app-session.js'
import type { Apps } from '../sessions/apps.js'
import { ownerOf } from '../sessions/claim.js'
import { protocolCodes } from '../wire/protocol-codes.js'
import { invoke } from './invoke.js'

export interface ActionRunner {
  readonly apps: Apps
  readonly clock: Clock
  readonly hasDesk: boolean
}

/** Runs an action of an application that the caller has claimed. What goes wrong is for the model to read. */
export async function runAction(
  { apps, clock, hasDesk }: ActionRunner,
  { appId, name, input }: { readonly appId: string; readonly name: string; readonly input: unknown },
  ctx: Context,
): Promise<ToolReturn> {
  const owner = ownerOf(ctx)
  const session = apps.find(owner, appId)
  if (session === undefined) return ctx.error(unclaimed(appId))
  if (!session.isConnected) return ctx.error(`"${session.offer.app.name}" is not connected. ${comeBack}`)
  const action = session.offer.actions.find(each => each.name === name)
  if (action === undefined) return ctx.error(`"${session.offer.app.name}" has no action "${name}" (any more).`)
  try {
    const depth = depthOf(apps.claimed.filter(({ claim }) => claim?.owner === owner))
    return resultOf(await invoke({ session, action, input, ctx, clock, hasDesk, depth }), ctx)
  } catch (error) {
    return ctx.error(describe(error, session))
  }
}

/** What a caller is told who has no such application. */
export function unclaimed(appId: string): string {
  return `No application "${appId}" is claimed. Ask the person for the claim code that it shows, and call tesseron__claim_session.`
}

const comeBack = 'Its claim holds: it can be called again once it is back.'

/** One deeper than whatever asks a model now: this call may come from there. */
function depthOf(sessions: readonly AppSession[]): number {
  const sampling = sessions.flatMap(({ invocations }) => [...invocations.values()]).filter(each => each.isSampling)
  return Math.max(0, ...sampling.map(({ depth }) => depth + 1))
}

function resultOf(output: unknown, ctx: Context): ToolReturn {
  return typeof output === 'string' ? ctx.text(output) : ctx.json(output ?? null)
}

function describe(error: unknown, { offer }: AppSession): string {
  if (!(error instanceof RpcError)) {
    const message = error instanceof Error ? error.message : String(error)
    return `"${offer.app.name}" did not finish: ${message}`
  }
  const issues = error.code === protocolCodes.inputInvalid ? describeIssues(error.data) : ''
  return `${error.message || 'The application failed and did not say why.'}${issues}`
}

/** What is wrong with an input, as the application says. */
function describeIssues(data: unknown): string {
  const issues = isRecord(data) ? data.issues : data
  if (!Array.isArray(issues)) return ''
  const lines = issues.filter(isRecord).map(({ message, path }) => {
    const place = Array.isArray(path) ? path.map(key => String(isRecord(key) ? key.key : key)).join('.') : ''
    return place === '' ? String(message) : `${place}: ${message}`
  })
  return lines.length === 0 ? '' : ` ${lines.join('; ')}`
}
