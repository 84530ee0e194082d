import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { attacked, shop, tokenOf } from '../../../test/attacks/desk-under-attack.js'
import { freePort } from '../../../test/free-port.js'
import { type MailServer, startMailServer } from '../../../test/mail-server.js'
import { personOf } from '../../access/bearer/person-of.js'
import { bearerAccess } from '../../access/index.js'
import type { DeskOptions } from '../../create-desk.js'
import { notify } from '../index.js'
import { isAddress } from './address.js'
import { type EmailOptions, email } from './email.js'

let mail: MailServer
beforeEach(async () => {
  mail = await startMailServer()
})
afterEach(() => mail.close())

const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 60_000 })
const from = { name: 'Desk', address: 'desk@example.com' }
const pay = { id: 'pay', message: 'Pay 5 to Ben?', principal: 'alice', tool: 'pay', arguments: { card: '4111' } }

async function desk(options: Partial<EmailOptions> = {}, more: Partial<DeskOptions> = {}) {
  const addressOf = (principal: string) => (principal === 'alice' ? 'alice@example.com' : undefined)
  const channel = email({ smtp: mail.url, from, addressOf, defaults: { delayMs: 0 }, ...options })
  const served = await attacked({ notify: notify({ channels: [channel] }), ...more })
  const by = (who: string, method: string, path: string, body?: unknown) =>
    served.send(who === 'shop' ? shop : tokenOf(who), method, path, body)
  return {
    ...served,
    by,
    async ask(body: object) {
      return (await (await by('shop', 'POST', '/api/asks', body)).json()) as { session: string; id: string }
    },
  }
}

describe('e-mail', () => {
  it('says who asks what until when, as text and as simple HTML, with one link, which opens the ask', async () => {
    const { ask, url } = await desk()
    const { session, id } = await ask({ ...pay, destructive: true, message: 'Pay <b>5</b> to Ben?\nReally?' })
    await eventually(() => expect(mail.letters).toHaveLength(1))
    const [letter] = mail.letters
    if (letter === undefined) throw new Error('No letter.')
    expect(letter.to).toEqual(['alice@example.com'])
    expect(letter.from).toBe('desk@example.com')
    const link = `${url}asks/${session}/${id}`
    for (const part of [letter.text, letter.html]) {
      expect(part).toContain('shop · pay')
      expect(part).toContain('This tool can delete or overwrite things.')
      expect(part).toContain(link)
      expect(part).not.toContain('4111')
    }
    expect(letter.html).not.toContain('<b>5')
    expect(letter.html).not.toMatch(/<img|<script|<style|https?:(?!\/\/127\.0\.0\.1)/)
    expect(letter.html.match(/href=/g)).toHaveLength(1)
    expect(letter.headers).toContain('Auto-Submitted: auto-generated')
    expect(letter.headers).toContain('Subject: shop asks: Pay <b>5</b> to Ben? Really?')
  })

  it('answers nothing when its link is followed, by whomever', async () => {
    const { ask, url, by } = await desk()
    const { session, id } = await ask(pay)
    await eventually(() => expect(mail.letters).toHaveLength(1))
    const link = /https?:\S+/.exec(mail.letters[0]?.text ?? '')?.[0] ?? ''
    expect(link.startsWith(url)).toBe(true)
    expect((await fetch(link)).status).toBe(401)
    await by('alice', 'GET', new URL(link).pathname)
    const found = (await (await by('alice', 'GET', `/api/asks/${session}/${id}`)).json()) as { status: string }
    expect(found.status).toBe('open')
  })

  it('is not sent where the ask was answered elsewhere before', async () => {
    const clock = createTestClock(Date.now())
    const { ask, by } = await desk({}, { clock })
    const settings = { channels: { email: { isOn: true, delayMs: 60_000, digestMs: 0 } } }
    expect((await by('alice', 'PUT', '/api/notify', settings)).status).toBe(200)
    const first = await ask({ ...pay, id: 'one', message: 'First?' })
    await ask({ ...pay, id: 'two', message: 'Second?' })
    await by('alice', 'POST', `/api/asks/${first.session}/${first.id}/answer`, {})
    await eventually(async () => {
      await clock.advance(5_000)
      expect(mail.letters).toHaveLength(1)
    })
    expect(mail.letters[0]?.text).toContain('Second?')
  })

  it('is followed by a letter that takes it back, where that is wanted, and only where one was sent', async () => {
    const clock = createTestClock(Date.now())
    const { ask, by } = await desk({ tellsWhenDone: true }, { clock })
    const settings = { channels: { email: { isOn: true, delayMs: 60_000, digestMs: 0 } } }
    expect((await by('alice', 'PUT', '/api/notify', settings)).status).toBe(200)
    const [early, late] = [await ask({ ...pay, id: 'one' }), await ask({ ...pay, id: 'two', message: 'Second?' })]
    const answer = ({ session, id }: typeof early) => by('alice', 'POST', `/api/asks/${session}/${id}/answer`, {})
    await answer(early)
    await eventually(async () => {
      await clock.advance(5_000)
      expect(mail.letters).toHaveLength(1)
    })
    await answer(late)
    await eventually(async () => {
      await clock.advance(1_000)
      expect(mail.letters).toHaveLength(2)
    })
    const [first, second] = mail.letters
    const named = first?.headers.find(line => line.startsWith('Message-ID: '))?.slice('Message-ID: '.length)
    expect(second?.headers).toEqual(expect.arrayContaining([`In-Reply-To: ${named}`, `References: ${named}`]))
    expect(second?.headers).toContain('Subject: No answer is needed any more')
    expect(second?.text).toContain(`/asks/${late.session}/${late.id}`)
    expect(second?.text).not.toContain('Second?')
    await clock.advance(10 * 60_000)
    expect(mail.letters).toHaveLength(2)
  })

  it('comes as one letter for several, in the language and the time of the person', async () => {
    const channel = email({ smtp: mail.url, from })({
      store: memoryStore(),
      prefix: 'p/',
      clock: createTestClock(),
      address: () => 'https://desk.example',
    })
    const notices = ['One?', 'Two?'].map((message, index) => ({
      id: `i${index}`,
      session: 's',
      ask: `a${index}`,
      link: `https://desk.example/asks/s/a${index}`,
      kind: 'confirm' as const,
      server: 'shop',
      message,
      isDestructive: false,
      isSimple: true,
      askedAt: 0,
      expiresAt: Date.UTC(2026, 10, 17, 10),
      reminder: 0,
    }))
    const person = { principal: 'alice', email: 'alice@example.com', language: 'de-AT', timeZone: 'Asia/Tokyo' }
    await channel.sendDigest?.(person, notices)
    const [letter] = mail.letters
    expect(letter?.headers).toContain('Subject: 2 Anfragen warten auf deine Antwort')
    expect(letter?.text).toMatch(/One\?.*asks\/s\/a0.*Two\?.*asks\/s\/a1/s)
    expect(letter?.text).toContain('Bis 17.11.2026, 19:00 (Asia/Tokyo)')
  })

  it('is tried again while the server is away, and the log says so', async () => {
    const port = await freePort()
    const { ask, errors } = await desk({ smtp: `smtp://127.0.0.1:${port}` })
    await ask(pay)
    await eventually(() => expect(errors).toHaveLength(1))
    expect(String(errors[0])).toMatch(
      /^Notifications by email: .* tried again: the mail server did not take it \(\w+\)$/,
    )
    expect(String(errors[0])).not.toContain('alice@')
    const back = await startMailServer(port)
    onTestFinished(() => back.close())
    await eventually(() => expect(back.letters).toHaveLength(1))
  })
})

it('goes unencrypted to another machine only where that is allowed', async () => {
  // Another name for this machine, which does not look like it.
  const smtp = mail.url.replace('127.0.0.1', '0.0.0.0')
  const alice = { principal: 'alice', email: 'alice@example.com' }
  const channel = (allowPlain: boolean) =>
    email({ smtp, from, allowPlain })({
      store: memoryStore(),
      prefix: 'p/',
      clock: createTestClock(),
      address: () => 'https://desk.example',
    })
  await expect(channel(false).test?.(alice)).rejects.toThrow('the mail server did not take it')
  expect(mail.letters).toEqual([])
  await channel(true).test?.(alice)
  expect(mail.letters).toHaveLength(1)
})

describe('an address', () => {
  const code = () => /\b\d{8}\b/.exec(mail.letters.at(-1)?.text ?? '')?.[0]

  it('of someone’s own counts once they typed in what was sent to it', async () => {
    const { ask, by } = await desk()
    await by('alice', 'POST', '/api/notify/email/address', { address: 'alice@home.example' })
    expect(mail.letters.at(-1)?.to).toEqual(['alice@home.example'])
    await ask(pay)
    await eventually(() => expect(mail.letters).toHaveLength(2))
    expect(mail.letters.at(-1)?.to).toEqual(['alice@example.com'])
    const sent = /\b\d{8}\b/.exec(mail.letters[0]?.text ?? '')?.[0]
    expect((await by('alice', 'POST', '/api/notify/email/confirm', { code: sent })).status).toBe(200)
    await ask({ ...pay, id: 'two' })
    await eventually(() => expect(mail.letters).toHaveLength(3))
    expect(mail.letters.at(-1)?.to).toEqual(['alice@home.example'])
    await by('alice', 'DELETE', '/api/notify/email/address')
    await ask({ ...pay, id: 'three' })
    await eventually(() => expect(mail.letters).toHaveLength(4))
    expect(mail.letters.at(-1)?.to).toEqual(['alice@example.com'])
  })

  it('is not taken from someone else’s code, nor after five wrong ones', async () => {
    const { by } = await desk()
    await by('bob', 'POST', '/api/notify/email/address', { address: 'bob@home.example' })
    const right = code()
    expect((await by('mallory', 'POST', '/api/notify/email/confirm', { code: right })).status).toBe(400)
    for (let tried = 0; tried < 5; tried++) await by('bob', 'POST', '/api/notify/email/confirm', { code: '00000000' })
    expect((await by('bob', 'POST', '/api/notify/email/confirm', { code: right })).status).toBe(400)
  })

  it('gets a few codes an hour, whoever asks for them', async () => {
    const { by } = await desk()
    const statuses: number[] = []
    for (let tried = 0; tried < 7; tried++)
      statuses.push((await by('bob', 'POST', '/api/notify/email/address', { address: 'victim@example.org' })).status)
    expect(statuses.filter(status => status === 429)).toHaveLength(2)
    const other = await by('mallory', 'POST', '/api/notify/email/address', { address: 'VICTIM@example.org' })
    expect(other.status).toBe(429)
  })

  it('comes from a sign-in that has verified it', async () => {
    const people = new Map([[tokenOf('bob'), { principal: 'bob', email: 'bob@claimed.example' }]])
    const { ask, by } = await desk({}, { access: bearerAccess({ tokens: token => people.get(token) }) })
    await by('bob', 'GET', '/api/notify')
    await ask({ ...pay, principal: 'bob' })
    await eventually(() => expect(mail.letters).toHaveLength(1))
    expect(mail.letters[0]?.to).toEqual(['bob@claimed.example'])
  })

  it.each([
    [{ email: 'bob@x.example', email_verified: true }, 'bob@x.example'],
    [{ email: 'bob@x.example', email_verified: 'true' }, undefined],
    [{ email: 'bob@x.example' }, undefined],
  ])('of a token with %j is %s', (claims, expected) => {
    expect(personOf({ sub: 'bob', ...claims }, { issuer: 'https://id.example' })?.email).toBe(expected)
  })

  it.each(['a@b.example', "o'neil+x@b.co", 'jörg@bücher.example', 'a@localhost'])('may be %s', address => {
    expect(isAddress(address)).toBe(true)
  })

  it.each([
    'a@b.example\r\nBcc: all@b.example',
    'a@b.example, c@d.example',
    'A <a@b.example>',
    '"a b"@b.example',
    'a@b.example\u0000',
    'a@b@c.example',
    '@b.example',
    'a@',
    'a..b@c.example',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(260)}`,
    17,
  ])('is not %j', address => {
    expect(isAddress(address)).toBe(false)
  })
})

it.each([
  [{ smtp: 'https://mail.example' }, 'smtp is a URL with smtp: or smtps:.'],
  [{ from: 'desk@example.com\r\nBcc: x@y.example' }, 'from is not an address for e-mail.'],
])('refuses to start with %j', (wrong, reason) => {
  expect(() => email({ smtp: 'smtp://mail.example', from: 'desk@example.com', ...wrong })).toThrow(reason)
})
