// The gateway's own tools: to claim an application, and to use one where a client does not follow the lists.
import type { BeckonServer, Context } from 'beckon'
import { agentOf, capabilitiesOf } from '../sessions/agent.js'
import type { AppSession } from '../sessions/app-session.js'
import { type Claimant, ownerOf } from '../sessions/claim.js'
import { type ClaimByCode, ClaimError } from '../sessions/claim-by-code.js'
import type { Dialler } from '../sessions/dialler.js'
import { uriOf } from './app-resources.js'
import type { AppTools } from './app-tools.js'
import { readResource } from './read-resource.js'
import { type ActionRunner, runAction, unclaimed } from './run-action.js'

export interface MetaToolsOptions {
  readonly runner: ActionRunner
  readonly tools: AppTools
  readonly claiming: ClaimByCode
  readonly dialler: Dialler
  readonly look: () => Promise<unknown>
}

const text = (description: string) => ({ type: 'string', description })
const appId = text('The id of the application, as tesseron__list_actions has it.')

export function addMetaTools(server: BeckonServer, options: MetaToolsOptions): void {
  const { runner, tools, claiming, dialler, look } = options
  const { apps, clock } = runner

  server.tool(
    'tesseron__claim_session',
    {
      title: 'Claim an application',
      description:
        'Connects to a running application with the claim code that it shows to the person (like AB3X-7K). Its actions become tools. Only the person can know the code: ask, never guess.',
      input: { type: 'object', properties: { code: text('The code that the application shows.') }, required: ['code'] },
    },
    async ({ code }, ctx) => {
      try {
        const { session, replaced } = await claiming.claim(code, claimantOf(ctx, runner))
        return ctx.json({
          ...describeApp(session, tools),
          ...(replaced.length > 0 && { replaced: replacedBy(session, replaced) }),
        })
      } catch (error) {
        if (error instanceof ClaimError) return ctx.error(error.message)
        throw error
      }
    },
  )

  server.tool(
    'tesseron__list_actions',
    {
      title: 'List actions',
      description: 'Lists the applications that are claimed, with their actions and resources.',
      annotations: { readOnly: true },
    },
    (_input, ctx) => {
      const owner = ownerOf(ctx)
      const own = apps.claimed.filter(({ claim }) => claim?.owner === owner)
      return ctx.json({ apps: own.map(session => describeApp(session, tools)) })
    },
  )

  server.tool(
    'tesseron__invoke_action',
    {
      title: 'Invoke an action',
      description: 'Runs an action of a claimed application, for clients whose list of tools does not change.',
      input: {
        type: 'object',
        properties: {
          app_id: appId,
          action: text('The name of the action.'),
          args: { type: 'object', description: 'Its input.' },
        },
        required: ['app_id', 'action'],
      },
      task: 'optional',
    },
    ({ app_id, action, args = {} }, ctx) =>
      runAction(runner, { appId: String(app_id), name: String(action), input: args }, ctx),
  )

  server.tool(
    'tesseron__read_resource',
    {
      title: 'Read a resource',
      description: 'Reads a resource of a claimed application, for clients that do not read resources.',
      input: {
        type: 'object',
        properties: { app_id: appId, name: text('The name of the resource.') },
        required: ['app_id', 'name'],
      },
      annotations: { readOnly: true },
    },
    async ({ app_id, name }, ctx) => {
      const session = apps.find(ownerOf(ctx), String(app_id))
      if (session === undefined) return ctx.error(unclaimed(String(app_id)))
      const value = await readResource(session, String(name), clock)
      return typeof value === 'string' ? ctx.text(value) : ctx.json(value ?? null)
    },
  )

  server.tool(
    'tesseron__list_pending_claims',
    {
      title: 'List applications to claim',
      description:
        'Lists running applications that nobody has claimed. Each shows its claim code to the person, who has to pass it on.',
      annotations: { readOnly: true },
    },
    async (_input, ctx) => {
      await look()
      // Never the codes: that a person passes one on is their consent.
      return ctx.json({
        pending: [
          ...apps.pending.map(({ offer }) => ({ app_id: offer.app.id, name: offer.app.name })),
          ...dialler.claimable.map(({ appName }) => ({ name: appName })),
        ],
      })
    },
  )
}

function claimantOf(ctx: Context, { hasDesk }: ActionRunner): Claimant {
  return { owner: ownerOf(ctx), agent: agentOf(ctx), capabilities: capabilitiesOf(ctx, hasDesk) }
}

function describeApp(session: AppSession, tools: AppTools): object {
  const { app, actions, resources } = session.offer
  return {
    app_id: app.id,
    name: app.name,
    ...(app.description !== undefined && { description: app.description }),
    connected: session.isConnected,
    actions: actions.map(action => ({
      action: action.name,
      tool: tools.nameOf(session, action),
      description: action.description,
      inputSchema: action.inputSchema,
      annotations: action.annotations,
    })),
    resources: resources.map(({ name, description }) => ({ name, uri: uriOf(session, name), description })),
  }
}

function replacedBy({ offer }: AppSession, names: readonly string[]): string {
  return `${names.join(', ')} had the id "${offer.app.id}" before, and is not connected to this gateway any more.`
}
