// A desk in another process, over HTTP. How an ask ended is asked again and again until it has: that is how it waits, and how
// it outlives a desk that was restarted.
//
// Threats: anyone who reads or redirects the traffic gets the token, so plain http stays on this machine and redirects are not
// followed; and a desk that is broken, or not the one it should be, so that what it says is limited, read with care, and
// never has us ask without a pause. Not defended: a desk that answers for people. Its word is theirs.

import { variable } from '#platform'
import { type Clock, systemClock } from '../../runtime/clock.js'
import { isLoopback } from '../../runtime/loopback.js'
import type { AskDesk, FindOptions } from '../desk.js'
import { deskConnection } from './connection.js'
import { readOpened, readOutcome, readSearch } from './replies.js'
import { findWith, remoteSearches } from './searches.js'
import { deskTrouble } from './trouble.js'
import { untilEnded } from './until-ended.js'
import { whileAway } from './while-away.js'

export interface RemoteDeskOptions {
  /** Where the desk is. */
  readonly url: string
  /** The token that the desk has for this server: `createDesk({ servers: { shop: token } })`. */
  readonly token: string
  /** Send the token over plain http beyond this machine, in a network where nobody else listens. */
  readonly allowHttp?: boolean | undefined
}

/**
 * A desk URL may carry the token as its password: `https://shop:token@desk.example`.
 * @param onError is told, once each, why asks get nowhere: a desk that is away, or does not know the token. Default: standard error
 */
export function remoteDeskFrom(
  given: string | RemoteDeskOptions,
  clock: Clock = systemClock,
  onError: (error: unknown) => void = toConsole,
): AskDesk {
  return remoteDesk(typeof given === 'string' ? optionsIn(given) : given, clock, onError)
}

function toConsole(error: unknown): void {
  console.error(error instanceof Error ? error.message : error)
}

function optionsIn(address: string): RemoteDeskOptions {
  const url = parse(address)
  const token = decodeURIComponent(url.password) || variable('BECKON_DESK_TOKEN')
  if (!token)
    throw new TypeError(
      'A desk URL needs the token that the desk has for this server: https://name:token@desk.example, or BECKON_DESK_TOKEN.',
    )
  url.username = ''
  url.password = ''
  return { url: url.href, token }
}

/** As many as a desk wants of a server's token. */
const minTokenLength = 16

function remoteDesk(
  { url, token, allowHttp = false }: RemoteDeskOptions,
  clock: Clock,
  onError: (error: unknown) => void,
): AskDesk {
  checkAddress(parse(url), allowHttp)
  if (typeof token !== 'string' || token.length < minTokenLength)
    throw new TypeError(
      `The token of a desk has ${minTokenLength} characters or more. Is the variable set that it is read from?`,
    )
  const { send, read } = deskConnection(url, token, deskTrouble(url, clock, onError))
  const finders = new Set<FindOptions>()
  return {
    finds(_server, find) {
      finders.add(find)
      return () => void finders.delete(find)
    },
    async open({ server: _, input, ...subject }, request, { policy, expiresAt }) {
      const { form, ...asked } = request
      const wanted = { ...subject, ...asked, ...policy, arguments: input, schema: form, expiresAt }
      const open = async () => readOpened(await read(await send('POST', '', wanted)))
      const { link, path, unseen } = await whileAway(clock, open)
      const handle = request.widget?.find
      const searches = remoteSearches(async search => {
        const options = handle === undefined ? undefined : await findWith(finders, handle, search.search)
        const found = options === undefined ? {} : { options }
        await read(await send('PUT', `${path}/searches/${encodeURIComponent(search.id)}`, found))
      })
      const query = handle === undefined ? '' : '?searches=1'
      return {
        id: request.id,
        link,
        unseen,
        outcome: (signal = new AbortController().signal) =>
          untilEnded(clock, { signal, expiresAt }, () =>
            searches.during(async () => {
              let response = await send('GET', `${path}/outcome${query}`, undefined, signal)
              if (response.status === 404) {
                // A desk that was restarted without a store does not know it.
                await response.body?.cancel()
                await open()
                response = await send('GET', `${path}/outcome${query}`, undefined, signal)
              }
              const said = await read(response)
              return response.status === 202 ? readSearch(said) : readOutcome(request, said)
            }),
          ),
        async withdraw() {
          await read(await send('DELETE', path))
        },
        async report(report) {
          await read(await send('PUT', `${path}/report`, report))
        },
      }
    },
  }
}

function parse(address: string): URL {
  // What Node would throw has the whole address in it, and so the token.
  if (!URL.canParse(address))
    throw new TypeError('The address of the desk is not a URL: https://name:token@desk.example.')
  return new URL(address)
}

function checkAddress({ protocol, hostname }: URL, allowHttp: boolean): void {
  if (protocol === 'https:' || (protocol === 'http:' && (allowHttp || isLoopback(hostname)))) return
  throw new TypeError(
    `The desk at ${hostname} would be sent its token over ${protocol.slice(0, -1)}, where others can read it. Use https, ` +
      'or { url, token, allowHttp: true } in a network of your own.',
  )
}
