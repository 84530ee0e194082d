// A desk that outlives the processes under test: it is in the process that runs them, and they reach it over HTTP.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { pause } from './client.mjs'

/** @typedef {{ action: 'accept', content?: Record<string, string> } | { action: 'cancel', why?: 'withdrawn' }} DeskEnding */
/** @typedef {{ key: string, message: string, kind: string, ending: DeskEnding | undefined, isWithdrawn: boolean }} DeskAsk */

/**
 * @typedef {object} TestDesk
 * @property {string} url
 * @property {(tag: string) => DeskAsk[]} open what waits for an answer, of one call
 * @property {(call: string) => boolean} knows whether anything was asked here for a call, by its id
 * @property {(key: string, ending: DeskEnding) => boolean} answer the first one counts; false for another
 * @property {() => void} close
 */

/** How long an ask of a process waits before it asks again. */
const pollMs = 1_000

/** @returns {Promise<TestDesk>} */
export async function startDesk() {
  /** @type {Map<string, DeskAsk>} */
  const asks = new Map()
  /** @type {Map<string, Set<() => void>>} */
  const waiting = new Map()
  /** @param {string} key */
  const tellOf = key => {
    for (const tell of waiting.get(key) ?? []) tell()
    waiting.delete(key)
  }
  const server = createServer(async (request, response) => {
    const { what, key, message, kind } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const ask = asks.get(key) ?? { key, message, kind, ending: undefined, isWithdrawn: false }
    asks.set(key, ask)
    if (what === 'withdraw') {
      ask.isWithdrawn = ask.ending === undefined
      ask.ending ??= { action: 'cancel', why: 'withdrawn' }
      tellOf(key)
    } else if (ask.ending === undefined) {
      const told = new Promise(resolve => {
        const all = waiting.get(key) ?? new Set()
        waiting.set(
          key,
          all.add(() => resolve(undefined)),
        )
      })
      await Promise.race([told, pause(pollMs)])
    }
    response.end(JSON.stringify(ask.ending ?? null))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    open: tag =>
      Array.from(asks.values()).filter(({ message, ending }) => ending === undefined && message.startsWith(`${tag} `)),
    knows: call => Array.from(asks.keys()).some(key => key.startsWith(`${call}.`)),
    answer(key, ending) {
      const ask = asks.get(key)
      if (ask === undefined || ask.ending !== undefined) return false
      ask.ending = ending
      tellOf(key)
      return true
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * The same desk, for a server.
 * @param {string} url
 * @returns {import('beckon').AskDesk}
 */
export function deskAt(url) {
  /** @param {Record<string, unknown>} body */
  const post = async body => (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()
  return {
    async open({ call }, { id, message, form }) {
      const about = { key: `${call}.${id}`, kind: form === undefined ? 'confirm' : 'form', message }
      return {
        id,
        link: `${url}/${call}`,
        async outcome() {
          for (;;) {
            const outcome = await post({ what: 'ask', ...about })
            if (outcome !== null) return outcome
          }
        },
        async withdraw() {
          await post({ what: 'withdraw', ...about })
        },
      }
    },
  }
}
