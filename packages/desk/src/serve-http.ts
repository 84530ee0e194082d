// What someone who has been let in gets over plain HTTP: the inbox, and the REST surface. Threat: a body may take minutes to come, and
// so may what a server waits for; its sender may be let in no more by then. So they are looked at again, just before anything is
// done, and before a server is told what came.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasInfiniteNumber, isNestedTooDeeply } from '@beckon/core/json-rpc'
import type { Refusal } from '@beckon/core/live'
import { widgetLimits } from '@beckon/core/widgets'
import { serveInbox } from './inbox-page.js'
import type { Viewer } from './policy/audience.js'
import { unavailable } from './policy/refusals.js'
import {
  invalidRequest,
  later,
  problem,
  type Rest,
  type RestReply,
  type RestRequest,
  type RestResponse,
} from './rest/index.js'
import type { ServerAsks } from './servers/server-asks.js'

export interface DeskHttp {
  /** Answers the requests of someone who has been let in. */
  serveViewer(incoming: IncomingMessage, outgoing: ServerResponse, viewer: LetIn<Viewer>): Promise<void>
  /** Answers a server in another process. */
  serveServer(incoming: IncomingMessage, outgoing: ServerResponse, server: LetIn<string>): Promise<void>
}

interface LetIn<T> {
  readonly who: T
  /** Whether they would be let in now. Rejects when that cannot be found out. */
  readonly isStillIn: () => Promise<boolean>
}

export interface DeskHttpOptions {
  readonly rest: Rest
  readonly asks: ServerAsks
  /** Of people; servers may send the page of a widget beside. Default: 256 KiB. */
  readonly maxBodyBytes?: number | undefined
}

export function httpOf({ rest, asks, maxBodyBytes = 256 * 1024 }: DeskHttpOptions): DeskHttp {
  return {
    async serveViewer(incoming, outgoing, { who, isStillIn }) {
      if (await serveInbox(pathOf(incoming), incoming, outgoing)) return
      await answer({ incoming, outgoing, maxBodyBytes }, async request => {
        const refused = await refusalOf(isStillIn)
        return refused ?? (await rest.handle(request, who)) ?? problem({ code: 'not-found' })
      })
    },
    serveServer: (incoming, outgoing, { who, isStillIn }) =>
      answer({ incoming, outgoing, maxBodyBytes: maxBodyBytes + widgetLimits.pageBytes }, async request => {
        const refused = await refusalOf(isStillIn)
        if (refused !== undefined) return refused
        const reply = await asks.handle(who, request)
        return (await refusalOf(isStillIn)) ?? reply
      }),
  }
}

/** Undefined while someone who was let in still is. */
async function refusalOf(isStillIn: () => Promise<boolean>): Promise<RestReply | undefined> {
  try {
    return (await isStillIn()) ? undefined : problem({ code: 'sign-in-required', params: { way: 'unknown' } })
  } catch {
    return later(problem(unavailable))
  }
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly maxBodyBytes: number
}

async function answer(
  { incoming, outgoing, maxBodyBytes }: Exchange,
  handle: (request: RestRequest) => Promise<RestResponse>,
): Promise<void> {
  const header = (name: string): string | undefined => {
    const value = incoming.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  const read = await readBody(incoming, maxBodyBytes, header('content-type'))
  if ('status' in read) return send(outgoing, read)
  const [, ...search] = (incoming.url ?? '').split('?')
  const request = {
    method: incoming.method ?? '',
    path: pathOf(incoming),
    query: new URLSearchParams(search.join('?')),
    body: read.body,
    bodyBytes: read.bytes,
    lastEventId: header('last-event-id'),
    header,
  }
  return send(outgoing, await handle(request))
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? ''
}

const infiniteNumber: Refusal = { code: 'action-invalid', params: { field: 'every number', expected: 'finite' } }

type Read = { readonly body: unknown; readonly bytes: number } | RestReply

/** The JSON of a body. No more of it is read than may be there. */
async function readBody(incoming: IncomingMessage, maxBodyBytes: number, type: string | undefined): Promise<Read> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBodyBytes) return problem({ code: 'too-large', params: { maxBytes: maxBodyBytes } })
    chunks.push(chunk as Buffer)
  }
  if (bytes === 0) return { body: undefined, bytes }
  if (type?.split(';')[0]?.trim() !== 'application/json') return problem({ code: 'not-json' })
  const text = Buffer.concat(chunks).toString()
  // Code that walks it, or writes it out again, would run out of stack.
  if (isNestedTooDeeply(text)) return invalidRequest('The body is nested too deeply.')
  try {
    const body: unknown = JSON.parse(text)
    if (hasInfiniteNumber(text, body)) return problem(infiniteNumber)
    return { body, bytes }
  } catch {
    return invalidRequest('The body is not JSON.')
  }
}

async function send(outgoing: ServerResponse, response: RestResponse): Promise<void> {
  outgoing.writeHead(response.status, response.headers)
  if ('body' in response) {
    outgoing.end(response.body)
    return
  }
  outgoing.flushHeaders()
  // A client that goes away ends the stream, which is not an error.
  await pipeline(Readable.from(response.stream), outgoing).catch(() => {})
}
