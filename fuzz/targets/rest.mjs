// REST on a desk, as a person, as an admin and as a server that asks.
import { fuzzedDesk, serverToken, tokens } from '../fuzzed-desk.mjs'
import { judgeStatus } from '../judge.mjs'
import { garbled, mutatedText } from '../mutate.mjs'
import { httpSender } from '../over-http.mjs'

/** @typedef {import('../driver.mjs').Target} Target */

/** @type {Target} */
export const rest = {
  share: 2,
  atOnce: 16,
  honestEvery: 250,
  async open(findings) {
    const { desk, url, hurry, ask } = await fuzzedDesk(findings)
    const sender = httpSender({ isKept: true })
    const own = httpSender({ isKept: false })
    let { session, id, asked } = await ask('mallory')

    /** @param {string} token @param {string} method @param {string} path @param {unknown} [body] */
    async function send(token, method, path, body) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const reply = await own.send(new URL(path, url).href, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: reply?.status ?? 0, body: JSON.parse(reply?.text || '{}') }
    }

    return {
      async attack(random) {
        hurry()
        const all = requests(session, id)
        const { token, method, path, body } = random.pick(all)
        const place = random.next() < 0.3 ? garbledPath(garbled(random, path)) : path
        const others = all.flatMap(each => (each.body === undefined ? [] : [each.body]))
        const text = body === undefined ? undefined : mutatedText(random, body, others)
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': random.next() < 0.98 ? 'application/json' : 'text/plain',
        }
        const reply = await sender.send(new URL(url).origin + place, {
          method,
          headers,
          ...(text !== undefined && { body: text }),
        })
        if (reply !== undefined) judgeStatus(reply.status, reply.text, `${method} ${place} ${text}`)
      },
      async honest(nth) {
        const opened = await send(serverToken, 'POST', '/api/asks', {
          id: 'r',
          call: `honest-${nth}`,
          message: `Order ${nth}?`,
          schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          audience: { principals: ['honest'] },
        })
        const place = `/api/asks/${encodeURIComponent(opened.body.session)}/${encodeURIComponent(opened.body.id)}`
        const wrong = await send(tokens.mallory, 'POST', `${place}/answer`, { content: { name: 'Mallory' } })
        const taken = await send(tokens.honest, 'POST', `${place}/answer`, { content: { name: 'Ada' } })
        const outcome = await send(serverToken, 'GET', `${place}/outcome?waitMs=0`)
        const told = JSON.stringify([
          opened.status,
          wrong.status,
          taken.status,
          outcome.body.action,
          outcome.body.content,
        ])
        if (told !== '[201,404,200,"accept",{"name":"Ada"}]') throw new Error(told)
        await asked.withdraw()
        ;({ session, id, asked } = await ask('mallory'))
      },
      async close() {
        sender.close()
        own.close()
        await desk.close()
      },
    }
  },
}

/** What an HTTP client can write. @param {string} path */
function garbledPath(path) {
  return `/${path.replace(/^\/+/, '').replace(/[^!-~]/g, '%00')}`
}

/**
 * @param {string} session
 * @param {string} id
 * @returns {{ token: string, method: string, path: string, body?: unknown }[]}
 */
function requests(session, id) {
  const { mallory, admin } = tokens
  const ask = `/api/asks/${encodeURIComponent(session)}/${encodeURIComponent(id)}`
  const rule = {
    id: 'x',
    effect: 'allow',
    match: { server: 'shop', tool: 'order', arguments: { item: { oneOf: [1] } } },
    reason: 'x',
  }
  /** @param {string} token */
  const as = token => (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) => ({
    token,
    method,
    path,
    body,
  })
  const [person, boss, server] = [as(mallory), as(admin), as(serverToken)]
  return [
    person('GET', '/api/asks?limit=5&cursor=x&search=a&order=due&mine=true&server=shop&state=open', undefined),
    person('GET', ask, undefined),
    person('POST', `${ask}/answer`, { content: { name: 'M', age: 3, plan: 'pro', isNew: true } }),
    person('POST', `${ask}/decline`, { reason: 'no' }),
    person('POST', `${ask}/cancel`, {}),
    person('PUT', `${ask}/drafts/name`, { value: 'M' }),
    person('POST', `${ask}/comments`, { text: 'hm' }),
    person('POST', `${ask}/delegate`, { to: { principals: ['honest'] } }),
    person('GET', '/api/sessions?limit=2&cursor=x', undefined),
    person('GET', '/api/me', undefined),
    person('PUT', '/api/me/away', { until: 1e13, to: { principals: ['honest'] } }),
    person('POST', '/api/rules', { ...rule, owner: 'mallory' }),
    person('POST', '/api/rules/try', rule),
    person('DELETE', '/api/rules/x', undefined),
    person('POST', '/ticket', undefined),
    boss('POST', '/api/rules', rule),
    boss('GET', '/api/audit?limit=5&session=x&since=1', undefined),
    boss('GET', '/api/admin/people?limit=5', undefined),
    boss('GET', '/api/admin/tokens', undefined),
    boss('POST', '/api/admin/tokens', { server: 'bank' }),
    boss('DELETE', '/api/admin/tokens/bank', undefined),
    boss('POST', '/api/admin/people/mallory/export', {}),
    server('POST', '/api/asks', {
      id: 'r',
      call: 'theirs',
      message: 'Which?',
      schema: {
        type: 'object',
        properties: { name: { type: 'string', title: 'N' }, n: { type: 'number', minimum: 1 } },
        required: ['name'],
      },
      show: [
        { kind: 'markdown', text: '# hi' },
        { kind: 'table', columns: [{ key: 'a' }], rows: [{ a: 1 }] },
        { kind: 'diff', before: 'a', after: 'b' },
      ],
      widget: { name: 'seats', html: '<p>hi', data: { rows: [1, 2] } },
      audience: { principals: ['mallory'], groups: ['staff'] },
      quorum: 1,
      escalation: { afterMs: 1000, audience: { groups: ['staff'] } },
      remindAfterMs: [1000],
      timeoutMs: 1000,
      arguments: { item: 1 },
      tool: 'order',
      title: 'x',
      asker: 'a',
      principal: 'p',
      destructive: false,
    }),
    server('PUT', `${ask}/report`, { status: 'done', text: 'x' }),
    server('GET', '/api/asks/call-shop.theirs/shop.theirs.r/outcome?waitMs=0', undefined),
    server('DELETE', '/api/asks/call-shop.theirs/shop.theirs.r', undefined),
  ]
}
