// Someone at the inbox of a proxy, who accepts what is asked there.

const lookEveryMs = 50
const answerWithinMs = 30_000

/**
 * Accepts the next ask, by the link that the proxy printed with its first.
 * @param {import('./start-server.mjs').Started} proxy
 */
export function personAt(proxy) {
  /** @type {string | undefined} */
  let cookie
  let origin = ''

  /** @param {string} link works once, and signs in whoever opens it */
  async function signIn(link) {
    origin = new URL(link).origin
    const opened = await fetch(link, { redirect: 'manual' })
    return opened.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; ')
  }

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   */
  async function call(path, init = {}) {
    const headers = {
      cookie: cookie ?? '',
      origin,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    }
    const response = await fetch(`${origin}${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  /**
   * @param {string} words of the ask
   * @param {object} [content]
   */
  return async function accept(words, content) {
    for (const until = Date.now() + answerWithinMs; Date.now() < until; ) {
      const [, link] = /asks: .* Answer at (\S+)/.exec(proxy.said()) ?? []
      if (link !== undefined) {
        cookie ??= await signIn(link)
        const { asks } = await call('/api/asks')
        const ask = asks.find((/** @type {{ message: string }} */ { message }) => message.includes(words))
        if (ask !== undefined) {
          const path = [ask.session, ask.id, 'answer'].map(encodeURIComponent).join('/')
          await call(`/api/asks/${path}`, {
            method: 'POST',
            body: JSON.stringify(content === undefined ? {} : { content }),
          })
          return
        }
      }
      await new Promise(resolve => setTimeout(resolve, lookEveryMs))
    }
    throw new Error(`Nobody was asked "${words}". The proxy said:\n${proxy.said()}`)
  }
}
