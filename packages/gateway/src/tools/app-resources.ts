import type { BeckonServer, Clock } from 'beckon'
import type { AppSession } from '../sessions/app-session.js'
import type { Apps } from '../sessions/apps.js'
import { type Owner, ownerOf } from '../sessions/claim.js'
import type { ResourceOffer } from '../wire/offer.js'
import { readResource } from './read-resource.js'
import { unclaimed } from './run-action.js'

interface AppResource {
  readonly digest: string
  owners: ReadonlyMap<Owner, AppSession>
}

/** Resources of applications as MCP resources. */
export class AppResources {
  readonly #server: BeckonServer
  readonly #apps: Apps
  readonly #clock: Clock
  readonly #resources = new Map<string, AppResource>()
  #listed = ''

  constructor(server: BeckonServer, apps: Apps, clock: Clock) {
    this.#server = server
    this.#apps = apps
    this.#clock = clock
  }

  /** Makes the resources what the claimed applications offer. */
  sync(sessions: readonly AppSession[]): void {
    const wanted = new Map<string, { session: AppSession; offer: ResourceOffer; owners: Map<Owner, AppSession> }>()
    for (const session of sessions) {
      for (const offer of session.offer.resources) {
        const uri = uriOf(session, offer.name)
        const owners = wanted.get(uri)?.owners ?? new Map<Owner, AppSession>()
        wanted.set(uri, { session, offer, owners: owners.set(session.claim?.owner ?? null, session) })
      }
    }
    for (const uri of this.#resources.keys()) if (!wanted.has(uri)) this.#remove(uri)
    for (const [uri, { session, offer, owners }] of wanted) this.#put(uri, session, { offer, owners })
    const listed = JSON.stringify(
      Array.from(this.#resources, ([uri, { owners }]) => [
        uri,
        ...Array.from(owners, ([owner, { isConnected }]) => isConnected && owner),
      ]),
    )
    if (listed !== this.#listed) this.#server.changed('resources')
    this.#listed = listed
  }

  #put(
    uri: string,
    session: AppSession,
    { offer, owners }: { offer: ResourceOffer; owners: ReadonlyMap<Owner, AppSession> },
  ): void {
    const digest = JSON.stringify(offer)
    const known = this.#resources.get(uri)
    if (known?.digest === digest) {
      known.owners = owners
      return
    }
    if (known !== undefined) this.#remove(uri)
    const resource: AppResource = { digest, owners }
    this.#resources.set(uri, resource)
    const { name, description, mimeType } = offer
    const appId = session.offer.app.id
    this.#server.resource(
      uri,
      {
        name: `${appId}/${name}`,
        ...(description !== undefined && { description }),
        mimeType: mimeType ?? 'application/json',
        listed: caller => resource.owners.get(ownerOf(caller))?.isConnected ?? false,
      },
      async (_resource, ctx) => {
        const own = this.#apps.find(ownerOf(ctx), appId)
        if (own === undefined) throw new Error(unclaimed(appId))
        const value = await readResource(own, name, this.#clock)
        return mimeType !== undefined && typeof value === 'string' ? value : JSON.stringify(value ?? null)
      },
    )
  }

  #remove(uri: string): void {
    this.#resources.delete(uri)
    this.#server.remove('resource', uri)
  }
}

/** Where MCP clients find an application's resource. */
export function uriOf({ offer }: AppSession, name: string): string {
  return `tesseron://${offer.app.id}/${encodeURIComponent(name)}`
}
