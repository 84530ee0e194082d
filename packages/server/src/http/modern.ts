// Everything of 2026-07-28 that the lean path does not take, because it is of another method, or of a shape that has to be looked at
// more closely.
import type { Method } from '../connections/methods.js'
import type { Link } from '../protocol/link.js'
import type { RpcRequest } from '../protocol/messages.js'
import { RequestError } from '../protocol/request-error.js'
import { rev20260728 } from '../protocol/rev2026/rev2026.js'
import { methodNotFound } from '../protocol/wire-error.js'
import type { Classified } from './classify.js'
import type { Exchange, HttpResponse } from './exchange/exchange.js'
import { fail, reply } from './lean/answer-lean.js'
import { LeanCall } from './lean/lean-call.js'
import { ListenStreams } from './listen-streams.js'
import { refuse } from './reply-with.js'
import type { Notifier, Served } from './served.js'
import type { SharedInterval } from './shared-interval.js'
import { wantedIn } from './subscription.js'

type ModernRequest = Extract<Classified, { kind: 'request' }>

export class Modern {
  readonly #served: Served
  readonly #keepAlive: SharedInterval<HttpResponse>
  readonly #streams: ListenStreams

  constructor(served: Served, keepAlive: SharedInterval<HttpResponse>) {
    this.#served = served
    this.#keepAlive = keepAlive
    this.#streams = new ListenStreams(served, keepAlive)
  }

  get notify(): Notifier {
    return this.#streams.notify
  }

  serve(exchange: Exchange, given: ModernRequest, principal: string | undefined): void {
    const { isPublic = false } = this.#served
    const link: Link = {
      codec: rev20260728,
      transport: 'http',
      principal,
      sessionId: undefined,
      isLocal: !isPublic && exchange.isLocal,
      header: (_id, name) => exchange.header(name),
      address: () => exchange.address,
      subscriptions: new Set(),
    }
    const { request, envelope } = given
    const call = new LeanCall({ params: {}, ...request, ...envelope }, exchange, {
      principal,
      isPublic,
      keepAlive: this.#keepAlive,
    })
    if (request.method === 'subscriptions/listen') {
      this.#listen(exchange, given, link).catch(error => fail(this.#served, call, error))
      return
    }
    const method = this.#served.methods(link).get(request.method)
    if (method === undefined || link.codec.lacks.has(request.method))
      refuse(exchange, 404, { id: request.id, ...methodNotFound })
    else reply(this.#served, call, answerOf(method, call, request))
  }

  close(): void {
    this.#streams.close()
  }

  async #listen(exchange: Exchange, { request, envelope }: ModernRequest, link: Link): Promise<void> {
    await this.#streams.serve(exchange, wantedIn(request, envelope.capabilities), link)
  }
}

async function answerOf(
  method: Method,
  call: LeanCall<string>,
  { params }: RpcRequest,
): Promise<Record<string, unknown>> {
  if (params?.requestState !== undefined && typeof params.requestState !== 'string')
    throw new RequestError(-32602, 'requestState must be a string')
  return method(call)
}
