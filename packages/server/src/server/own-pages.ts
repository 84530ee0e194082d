// The pages of a server: where people are sent by a link, sign in, confirm with a passkey, upload and choose, and where keys are
// published. A server has those that its options name.

import { createFlows, type Flows, hasPage, serveFlows, takesStreams } from '../flows/index.js'
import type { PageAddress } from '../flows/page-address.js'
import { createPages, pagePathOf } from '../pages/index.js'
import type { PeoplePasskeys } from '../passkeys/index.js'
import type { ReceiptKeys } from '../receipts/index.js'
import type { Clock } from '../runtime/clock.js'
import type { PageSignIn } from '../sign-in/sign-in.js'
import type { ServerOptions } from './beckon-server.js'
import type { Engine } from './engine.js'
import { receiptsPage, type ServerReceipts, serverReceipts } from './server-receipts.js'

const signInPage = 'sign-in'

export interface OwnPagesDeps {
  readonly engine: Engine
  readonly clock: Clock
  readonly address: PageAddress
  /** Who a request is for, where this server can tell. */
  readonly identify: ((request: Request) => Promise<string | undefined>) | undefined
  readonly onError: (error: unknown) => void
  /** The flow behind a URL is complete. */
  readonly onDone: (elicitationId: string) => void
}

export class OwnPages {
  readonly flows: Flows
  /** What signs answers, where something does. */
  readonly keys: ReceiptKeys | undefined
  /** Who has which passkeys, where people confirm with some. */
  readonly passkeys: PeoplePasskeys | undefined
  readonly #signIn: PageSignIn | undefined
  readonly #signs: ServerReceipts | undefined

  /** Tells the engine what it can send people to. @throws TypeError for options that need one another */
  constructor(options: ServerOptions, { engine, clock, address, identify, onError, onDone }: OwnPagesDeps) {
    const { store, scopes, name } = engine
    const people = scopes.deps.people.store
    const base = () => address.base()
    const pages = createPages(options.brand ?? {}, name, options.allowHttp ?? false)
    const signIn = options.signIn?.open({
      server: name,
      pages,
      base,
      store: people,
      clock,
      auth: options.auth,
      onError,
    })
    if (signIn !== undefined && identify === undefined)
      throw new TypeError(
        '`signIn` is for servers that know who calls are for: give createServer `auth` or `identify`.',
      )
    const visitor = identify && (signIn === undefined ? identify : signedInOr(signIn, identify))
    const flows = createFlows(engine, { pages, identify: visitor, address, onDone })
    engine.flows = flows
    const issuer = () => address.known ?? name
    const passkeys = options.passkeys?.serve({ store, people, clock, name, address: base }, issuer)
    if (passkeys !== undefined) {
      if (identify === undefined) throw new TypeError(needsIdentify)
      flows.known.bring([passkeys.flow])
      engine.verifier = passkeys.verifier
    }
    const uploads = options.files?.serve(clock)
    if (uploads !== undefined) {
      flows.known.bring([uploads.flow])
      engine.files = uploads.asker
    }
    flows.known.bring((options.choicePages ?? []).map(({ flow }) => flow))
    this.flows = flows
    this.keys = options.receipts?.open({ store, clock }) ?? passkeys?.receipts
    this.passkeys = passkeys?.people
    this.#signIn = signIn
    this.#signs =
      this.keys && serverReceipts(this.keys, { server: name, issuer, signsAll: options.receipts !== undefined })
    engine.receipts = this.#signs
  }

  has(page: string): boolean {
    if (page === signInPage) return this.#signIn !== undefined
    if (page === receiptsPage) return this.#signs !== undefined
    return hasPage(this.flows, page)
  }

  takesStreams(page: string): boolean {
    return takesStreams(this.flows, page)
  }

  /** Answers a request for a page; undefined where there is none. */
  async answer(request: Request, from: string | undefined): Promise<Response | undefined> {
    const { name = '', rest = '' } = pagePathOf(new URL(request.url).pathname) ?? {}
    if (name === receiptsPage) return this.#signs?.page(request)
    return name === signInPage ? this.#signIn?.serve(request, rest, from) : serveFlows(this.flows, request, from)
  }

  /** The same in a test, for a person whom the test names. */
  async answerAs(principal: string | undefined, request: Request): Promise<Response | undefined> {
    const signed = await this.#signs?.page(request)
    return signed ?? serveFlows({ ...this.flows, identify: async () => principal }, request, undefined)
  }
}

/** Who opens a page: by a token or whatever the server goes by, else by their browser; who is not known is sent to sign in. */
function signedInOr(signIn: PageSignIn, identify: (request: Request) => Promise<string | undefined>) {
  return async (request: Request): Promise<string> => {
    const known = (await signIn.principalOf(request)) ?? (await identify(request).catch(unlessResponse))
    if (known === undefined) throw await signIn.challenge(request)
    return known
  }
}

/** An `identify` may throw for nobody, also a `Response`; one with another status than 401 is to be sent. */
function unlessResponse(reason: unknown): undefined {
  if (reason instanceof Response && reason.status !== 401) throw reason
}

const needsIdentify =
  "A passkey is one person's, so this server has to know who a call is for. Give createServer an `identify`."
