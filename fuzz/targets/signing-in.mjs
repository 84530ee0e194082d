// Signing in by the browser, and the pages where people confirm with a passkey: what comes back from the provider, cookies, forms, and
// what a device is said to have said.
import { createServer, systemClock } from 'beckon'
import { oidc } from 'beckon/oidc'
import { passkeys } from 'beckon/passkeys'
import { z } from 'zod'
import { TestAuthenticator } from '../../test/authenticator.mjs'
import { texts } from '../hostile.mjs'
import { callerOf } from '../in-process.mjs'
import { finding, judgeStatus } from '../judge.mjs'
import { garbled, mutatedText } from '../mutate.mjs'
import { openProvider } from '../provider.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */
/** @typedef {{ method?: string, headers?: Record<string, string>, body?: string }} Init */
/** @typedef {{ get?: { challenge: string }, create?: { challenge: string, rp: { id?: string } } }} Ceremony */

const publicUrl = 'https://shop.example'
const mine = `${publicUrl}/beckon/passkeys/mine`
/** Ten wrong ways back within a minute close an address for the rest of it, which would keep what follows from being looked at. */
const msAnInput = 7_000

/** @type {Target} */
export const signingIn = {
  share: 1,
  atOnce: 1,
  honestEvery: 50,
  async open(findings) {
    let ahead = 0
    const now = () => systemClock.now() + ahead
    const provider = await openProvider(now)
    // It is told why a sign-in failed, which those of an attacker do.
    let isFailing = false
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      publicUrl,
      clock: { ...systemClock, now },
      person: 'unchecked',
      identify: request => request.headers.get('x-user') ?? undefined,
      signIn: oidc({ issuer: provider.issuer, clientId: 'shop', clientSecret: 'a secret', principalClaim: 'sub' }),
      passkeys: passkeys(),
      onError: error => {
        if (!isFailing) findings(`onError: ${error instanceof Error ? error.stack : String(error)}`)
      },
    })
    server.tool('pay', {}, async (_input, ctx) => {
      const schema = z.object({ amount: z.number().int().min(1).max(9) })
      const given = await ctx.elicit({ question: 'Pay how much?', schema, person: 'verified' })
      return given === null ? 'nothing paid' : `paid ${given.amount}`
    })
    /** @type {Visitor | undefined} */
    let mallory

    return {
      async attack(random) {
        ahead += msAnInput
        if (mallory === undefined) throw new Error('Somebody honest is first.')
        const { browser, link } = mallory
        const roll = random.next()
        if (roll < 0.4) {
          isFailing = true
          await attackSignIn(random, { browser, link, provider })
          isFailing = false
        } else await attackPasskeys(random, mallory, roll < 0.7 ? link : mine)
      },
      async honest(nth) {
        const ada = await Visitor.come(server, provider, `ada${nth}`)
        await ada.enrol(ada.link)
        const confirming = await ada.open(ada.link, { do: 'review', 'field-amount': '5' })
        await ada.confirm(confirming, { do: 'accept', content: '{"amount":5}' })
        expectText(await ada.end(), 'paid 5')
        mallory = await Visitor.come(server, provider, `mallory${nth}`)
        await mallory.enrol(mine)
      },
      async close() {
        await server.close()
        provider.close()
      },
    }
  },
}

/**
 * Requests on the way to the provider and back, of which something is not right.
 * @param {Random} random
 * @param {{ browser: Browser, link: string, provider: Awaited<ReturnType<typeof openProvider>> }} scene
 */
async function attackSignIn(random, { browser, link, provider }) {
  const own = new Browser(browser.server)
  const there = await own.follow(link)
  const back = provider.signIn('mallory', new URL(there))
  const path = random.pick([
    back.slice(publicUrl.length),
    back.slice(publicUrl.length),
    `/beckon/sign-in/start?next=${encodeURIComponent(random.next() < 0.5 ? '/beckon/passkeys/mine' : wellFormed(random.pick(texts)))}`,
    '/beckon/sign-in/out',
  ])
  const url = publicUrl + (random.next() < 0.8 ? spoiledQuery(random, path) : garbled(random, path))
  if (random.next() < 0.4) own.spoil(random)
  const method = random.next() < 0.9 ? 'GET' : random.pick(['POST', 'HEAD', 'PUT', 'DELETE'])
  const response = await own.visit(url, { method })
  if (response === undefined) return
  judgeStatus(response.status, await response.text(), `${method} ${url}`)
  const leads = response.headers.get('location')
  if (leads !== null && ![publicUrl, provider.issuer].includes(new URL(leads, publicUrl).origin))
    throw finding('a sign-in that leads elsewhere', leads, url)
}

/**
 * Forms of the pages for passkeys, with what a device would say that is not theirs, or says something else.
 * @param {Random} random
 * @param {Visitor} mallory
 * @param {string} url
 */
async function attackPasskeys(random, mallory, url) {
  const content = random.next() < 0.7 ? '{"amount":5}' : mutatedText(random, { amount: 5 })
  const page = await mallory.open(url, url === mine ? undefined : { do: 'review', 'field-amount': '5' })
  const isThief = random.next() < 0.5
  const said = mallory.said(page, isThief ? new TestAuthenticator(publicUrl) : mallory.device)
  if (isThief && random.next() < 0.7) said.get = { ...said.get, id: mallory.device.id, rawId: mallory.device.id }
  const fields = {
    beckon: page.token,
    do: random.pick(['accept', 'enrol', 'review', `remove ${mallory.device.id}`, 'remove x']),
    passkey: isThief && random.next() < 0.3 ? JSON.stringify(said) : mutatedText(random, said),
    content,
    name: random.pick(texts),
  }
  const name = random.pick(['do', 'content', 'name', 'field-amount', 'passkey'])
  if (random.next() < 0.3) Object.assign(fields, { [name]: random.pick(texts) })
  const body = new URLSearchParams(fields).toString()
  const browser = mallory.browser.copy()
  if (random.next() < 0.1) browser.spoil(random)
  const sent = { method: 'POST', headers: form, body: random.next() < 0.9 ? body : garbled(random, body) }
  const response = await browser.visit(url, sent)
  if (response === undefined) return
  const text = await response.text()
  judgeStatus(response.status, text, `${url} ${body}`)
  if (isThief && text.includes('<h1>Done')) throw finding('what no device of theirs confirmed was done', text, body)
  if (text.includes('<script>alert(1)')) throw finding('a page that runs what was sent', text, body)
}

const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

/** Somebody who was sent a link, is signed in, and has a device. */
class Visitor {
  device = new TestAuthenticator(publicUrl)

  /** @param {Browser} browser @param {string} link @param {() => Promise<Record<string, any>>} end */
  constructor(browser, link, end) {
    this.browser = browser
    this.link = link
    this.end = end
  }

  /**
   * @param {import('beckon').BeckonServer} server
   * @param {Awaited<ReturnType<typeof openProvider>>} provider
   * @param {string} user
   */
  static async come(server, provider, user) {
    const caller = callerOf(server, user)
    const asked = await caller.asked('pay')
    const browser = new Browser(server)
    const link = String(asked.params?.url)
    await browser.visit(provider.signIn(user, new URL(await browser.follow(link))))
    return new Visitor(browser, link, () => caller.result('tools/call', asked.answered({ action: 'accept' })))
  }

  /**
   * A page, or what comes of a form that is sent there.
   * @param {string} url
   * @param {Record<string, string>} [fields]
   */
  async open(url, fields) {
    const first = (await this.browser.visit(url))?.text()
    const html = (await first) ?? ''
    const token = /name="beckon" value="([^"]+)"/.exec(html)?.[1] ?? ''
    if (fields === undefined) return { url, token, html }
    const body = new URLSearchParams({ beckon: token, ...fields }).toString()
    const next = await this.browser.visit(url, { method: 'POST', headers: form, body })
    return { url, token, html: (await next?.text()) ?? '' }
  }

  /** What a device says to what a page asks of it. @param {{ html: string }} page */
  said({ html }, device = this.device) {
    const asked = [...html.matchAll(/data-passkey="([^"]+)"/g)].at(-1)?.[1] ?? '{}'
    /** @type {Ceremony} */
    const { get, create } = JSON.parse(
      asked.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&'),
    )
    /** @type {{ get?: object, create?: object }} */
    const said = {}
    if (get !== undefined) said.get = device.get(get)
    if (create !== undefined) said.create = device.create(create)
    return said
  }

  /** @param {{ url: string, token: string, html: string }} page @param {Record<string, string>} fields */
  async confirm(page, fields) {
    const passkey = JSON.stringify(this.said(page))
    const body = new URLSearchParams({ beckon: page.token, passkey, ...fields }).toString()
    const response = await this.browser.visit(page.url, { method: 'POST', headers: form, body })
    if (response === undefined || response.status >= 400)
      throw new Error(`${response?.status}: ${await response?.text()}`)
  }

  /** Makes the device theirs. @param {string} url */
  async enrol(url) {
    const fields = url === mine ? undefined : { do: 'review', 'field-amount': '5' }
    await this.confirm(await this.open(url, fields), { do: 'enrol' })
  }
}

/** Cookies, and nothing else of a browser. */
class Browser {
  /** @type {Map<string, string>} */
  #cookies = new Map()

  /** @param {import('beckon').BeckonServer} server */
  constructor(server) {
    this.server = server
  }

  /** @param {string} url @param {Init} [init] @returns {Promise<Response | undefined>} undefined where none would send it */
  async visit(url, init = {}) {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
    let request
    try {
      request = new Request(url, { ...init, headers: { accept: 'text/html', cookie, ...init.headers } })
    } catch {
      return undefined
    }
    const response = await this.server.fetch(request)
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }

  copy() {
    const copy = new Browser(this.server)
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value)
    return copy
  }

  /** From a link to where the provider is. @param {string} link */
  async follow(link) {
    const start = (await this.visit(link))?.headers.get('location') ?? ''
    return (await this.visit(new URL(start, publicUrl).href))?.headers.get('location') ?? ''
  }

  /** Something is wrong with a cookie. @param {Random} random */
  spoil(random) {
    for (const [name, value] of this.#cookies)
      this.#cookies.set(name, garbled(random, value).replace(/[^!-~]|[;,]/g, ''))
  }
}

/** @param {Random} random @param {string} path */
function spoiledQuery(random, path) {
  const [before = '', query = ''] = path.split('?')
  const params = new URLSearchParams(query)
  const name = random.pick([...params.keys(), 'state', 'error', 'iss'])
  const value = random.next() < 0.5 ? garbled(random, params.get(name) ?? 'x') : random.pick(texts)
  switch (random.between(0, 3)) {
    case 0:
      params.delete(name)
      break
    case 1:
      params.append(name, wellFormed(value))
      break
    default:
      params.set(name, wellFormed(value))
  }
  return `${before}?${params}`
}

/** An address has no halves of characters in it. @param {string} text */
function wellFormed(text) {
  return Buffer.from(text).toString()
}

/** @param {Record<string, any>} result @param {string} text */
function expectText(result, text) {
  if (result.content?.[0]?.text !== text) throw new Error(`${JSON.stringify(result)} where "${text}" is right`)
}
