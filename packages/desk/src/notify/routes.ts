// How someone wants to be told, over REST: their own settings, and what each channel has beside.
import { isRecord } from '@beckon/core/json-rpc'
import { KeyedRate } from '../limits/keyed-rate.js'
import { json, type RestResponse } from '../rest/exchange.js'
import { notifyOperations } from '../rest/openapi/notify-operations.js'
import { routesFor } from '../rest/openapi/operations.js'
import { invalidRequest, later, problem } from '../rest/problem.js'
import type { Matched, Route } from '../rest/router.js'
import type { ChannelReply, ChannelRoute, NotifyChannel, Recipient } from './channel.js'
import type { KnownPeople } from './known-people.js'
import { recipientOf } from './recipients.js'
import { readSettings, settingsFor } from './settings.js'

export interface NotifyRoutesOptions {
  readonly channels: readonly NotifyChannel[]
  readonly people: KnownPeople
  readonly now: () => number
  readonly onProblem: (problem: string) => void
}

const testRate = { perSecond: 0.1, burst: 5 }

export function notifyRoutes({ channels, people, now, onProblem }: NotifyRoutesOptions): readonly Route[] {
  const tests = new KeyedRate(testRate)
  /** The caller, with what they have set. An address comes from their sign-in, never from what they send. */
  async function personOf({ viewer: { principal, email } }: Matched): Promise<Recipient> {
    const { email: _, ...known } = recipientOf((await people.find(principal)) ?? { principal })
    return { ...known, ...(email !== undefined && { email }) }
  }

  async function read(request: Matched): Promise<RestResponse> {
    const { settings } = (await people.find(request.viewer.principal)) ?? {}
    const person = await personOf(request)
    const shown = channels.map(async channel => [
      channel.name,
      {
        ...settingsFor(channel, settings),
        canDigest: channel.sendDigest !== undefined,
        canTest: channel.test !== undefined,
        ...(channel.state && { state: await channel.state(person) }),
      },
    ])
    const { channels: _, ...rest } = settings ?? {}
    return json(200, { channels: Object.fromEntries(await Promise.all(shown)), ...rest })
  }

  async function write(request: Matched): Promise<RestResponse> {
    const settings = readSettings(request.body, channels)
    if (typeof settings === 'string') return invalidRequest(settings)
    await people.set(request.viewer.principal, settings)
    return read(request)
  }

  async function test(request: Matched): Promise<RestResponse> {
    const { body, viewer } = request
    const wanted = isRecord(body) ? body.channel : undefined
    const channel = channels.find(({ name }) => name === wanted)
    if (channel?.test === undefined) return invalidRequest('The body has "channel": one that can be tested.')
    if (!tests.take(viewer.principal, now())) return later(problem({ code: 'too-many' }))
    try {
      const sent = await channel.test(await personOf(request))
      return json(200, { isSent: sent !== 'unreachable' })
    } catch (error) {
      onProblem(`Notifications by ${channel.name}: a test failed: ${error instanceof Error ? error.message : ''}`)
      return json(200, { isSent: false })
    }
  }

  const own = (channel: NotifyChannel, { method, path, handle }: ChannelRoute): Route => ({
    method,
    path: `/api/notify/${channel.name}/${path}`,
    async handle(request) {
      const { body, param, header } = request
      const userAgent = header('user-agent') ?? ''
      return replyOf(await handle(await personOf(request), { body, param, userAgent }))
    },
  })
  return [
    ...routesFor(notifyOperations, { readNotifySettings: read, writeNotifySettings: write, testNotify: test }),
    ...channels.flatMap(channel => (channel.routes ?? []).map(route => own(channel, route))),
  ]
}

function replyOf(reply: ChannelReply): RestResponse {
  if (reply === 'not-found') return problem({ code: 'not-found' })
  if (reply === 'too-many') return later(problem({ code: 'too-many' }))
  return 'done' in reply ? json(200, reply.done) : invalidRequest(reply.refused)
}
