// What people do with notifications that is not theirs to do, and what an asker puts into them.
import { onTestFinished, vi } from 'vitest'
import type { Family } from '../../../../test/attack-table.js'
import { email } from '../../src/notify/email/email.js'
import { notify } from '../../src/notify/index.js'
import { push } from '../../src/notify/push/push.js'
import { startMailServer } from '../mail-server.js'
import { startPushService } from '../push-service.js'
import { attacked, must, shop, tokenOf, told } from './desk-under-attack.js'

const pay = { id: 'pay', message: 'Pay how much?', principal: 'alice', tool: 'pay' }
const subscriptions = '/api/notify/push/subscriptions'

async function reachable(allowInner = true) {
  const [mail, service] = [await startMailServer(), await startPushService()]
  onTestFinished(() => mail.close())
  onTestFinished(() => service.close())
  const addressOf = (principal: string) => `${principal}@example.com`
  const letters = email({ smtp: mail.url, from: 'desk@example.com', addressOf, defaults: { delayMs: 0 } })
  const desk = await attacked({ notify: notify({ channels: [push({ allowInner }), letters] }) })
  return { desk, mail, service }
}

export const reach: Family = {
  family: 'Notifications',
  attacks: [
    {
      attack:
        'a push subscription to this machine, to an inner network, to a name of one, without encryption, or to another port',
      async run() {
        const { desk, service } = await reachable(false)
        const { keys } = service.newDevice().subscription
        const places = [
          'https://127.0.0.1/x',
          'https://169.254.169.254/latest',
          'https://[::ffff:10.0.0.1]/x',
          'https://2130706433/x',
          'https://localhost/x',
          'https://vault.internal/x',
          'http://push.example.com/x',
          'https://push.example.com:6379/x',
          'https://user:pw@push.example.com/x',
          'file:///etc/passwd',
        ]
        const replies = await Promise.all(
          places.map(endpoint => desk.send(tokenOf('mallory'), 'POST', subscriptions, { endpoint, keys })),
        )
        must(
          replies.every(({ status }) => status === 400),
          replies.map(({ status }) => status).join(),
        )
        return `each is refused (${await told(replies[0] ?? new Response())}); a name that leads there is found out when it is connected to`
      },
    },
    {
      attack: 'Mallory registers the subscription of Alice’s browser as her own without its secret, and removes it',
      async run() {
        const { desk, service } = await reachable()
        const phone = service.newDevice()
        const added = await desk.send(tokenOf('alice'), 'POST', subscriptions, phone.subscription)
        const { id } = (await added.json()) as { id: string }
        const { endpoint } = phone.subscription
        const { keys } = service.newDevice().subscription
        const stolen = await desk.send(tokenOf('mallory'), 'POST', subscriptions, { endpoint, keys })
        const removed = await desk.send(tokenOf('mallory'), 'DELETE', `${subscriptions}/${id}`)
        await desk.send(shop, 'POST', '/api/asks', pay)
        await vi.waitFor(() => must(phone.read().length === 1, 'Alice was not told.'), { timeout: 60_000 })
        must(stolen.status === 400 && removed.status === 404, `${stolen.status} ${removed.status}`)
        return `${await told(stolen)} and ${removed.status}; Alice is told as before`
      },
    },
    {
      attack: 'Mallory, who is not asked, has every channel on while Alice is asked and answers',
      async run() {
        const { desk, service, mail } = await reachable()
        const [hers, alices] = [service.newDevice(), service.newDevice()]
        await desk.send(tokenOf('mallory'), 'POST', subscriptions, hers.subscription)
        await desk.send(tokenOf('alice'), 'POST', subscriptions, alices.subscription)
        const settings = { channels: { push: { isOn: true, delayMs: 0, digestMs: 0 } } }
        await desk.send(tokenOf('mallory'), 'PUT', '/api/notify', settings)
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', pay)).json()) as {
          session: string
          id: string
        }
        await vi.waitFor(() => must(alices.read().length === 1 && mail.letters.length === 1, 'Alice was not told.'), {
          timeout: 60_000,
        })
        await desk.send(tokenOf('alice'), 'POST', `/api/asks/${session}/${id}/answer`, {})
        await vi.waitFor(() => must(alices.read().length === 2, 'It was not taken back.'), { timeout: 60_000 })
        must(hers.read().length === 0, 'Mallory was told.')
        must(
          mail.letters.every(({ to }) => to.join() === 'alice@example.com'),
          'There is a letter to somebody else.',
        )
        return 'she is told nothing, not even that it ended'
      },
    },
    {
      attack: 'an address with a line break and a header, or with a second address, set by its person',
      async run() {
        const { desk, mail } = await reachable()
        const replies = await Promise.all(
          [
            'mallory@example.com\r\nBcc: all@example.com',
            'mallory@example.com, all@example.com',
            'M <m@example.com>',
          ].map(address => desk.send(tokenOf('mallory'), 'POST', '/api/notify/email/address', { address })),
        )
        must(
          replies.every(({ status }) => status === 400) && mail.letters.length === 0,
          replies.map(({ status }) => status).join(),
        )
        return await told(replies[0] ?? new Response())
      },
    },
    {
      attack: 'a server, a tool and a message with line breaks, headers and markup in them, in a letter',
      async run() {
        const { desk, mail } = await reachable()
        const evil = 'Pay?\r\nBcc: all@example.com\r\n\r\n<img src=https://evil.example/x>\u202e'
        await desk.send(shop, 'POST', '/api/asks', { ...pay, message: evil, tool: evil })
        await vi.waitFor(() => must(mail.letters.length === 1, 'There is no letter.'), { timeout: 60_000 })
        const [letter] = mail.letters
        if (letter === undefined) throw new Error('There is no letter.')
        must(!letter.headers.some(line => /^bcc/i.test(line)), 'There is a header.')
        must(letter.to.join() === 'alice@example.com', 'It goes to others.')
        must(!letter.html.includes('<img') && !letter.html.includes('\u202e'), 'There is markup.')
        return 'one line of subject, one recipient, and text'
      },
    },
    {
      attack:
        'a message that reads like the end of a letter, with addresses of which mail programs make links, in a letter',
      async run() {
        const { desk, mail } = await reachable()
        const forged = 'Open it in your inbox: https://evil.example/asks'
        const message = `Pay?\n\n${forged}\n\n---\n\nOr www.evil.example, or evil.example/login.`
        await desk.send(shop, 'POST', '/api/asks', { ...pay, message, tool: 'https://evil.example/' })
        await vi.waitFor(() => must(mail.letters.length === 1, 'There is no letter.'), { timeout: 60_000 })
        const { text = '', html = '' } = mail.letters[0] ?? {}
        const addresses = (letter: string) =>
          letter.match(/(?:\w+:\/\/|www\.)[^\s"<]+|[\w.-]+\.\w{2,}\/[^\s"<]*/g) ?? []
        for (const address of [...addresses(text), ...addresses(html)])
          must(address.startsWith(desk.url), `There is a link to ${address}.`)
        const lines = text.split('\n').filter(line => /^(Open it|---|Or )/.test(line))
        must(lines.length === 2, `It passes for the letter itself: ${lines.join()}`)
        return 'set apart as what was asked, with addresses of which nothing makes a link: https[:]//evil.example'
      },
    },
    {
      attack:
        'a page of another site posts a subscription, or an answer as a notification would, with the person’s browser',
      async run() {
        const { desk, service } = await reachable()
        const { subscription } = service.newDevice()
        const send = (headers: Record<string, string>) =>
          fetch(new URL(subscriptions, desk.url), {
            method: 'POST',
            headers: { authorization: `Bearer ${tokenOf('alice')}`, 'content-type': 'application/json', ...headers },
            body: JSON.stringify(subscription),
          })
        const replies = [await send({ origin: 'https://evil.example' }), await send({ 'sec-fetch-site': 'cross-site' })]
        must(
          replies.every(({ status }) => status === 403),
          replies.map(({ status }) => status).join(),
        )
        return '403, as everything that such a page sends'
      },
    },
  ],
}
