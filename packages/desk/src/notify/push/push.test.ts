import { memoryStore } from 'beckon'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { attacked, shop, tokenOf } from '../../../test/attacks/desk-under-attack.js'
import { type PushService, startPushService, vapidClaims } from '../../../test/push-service.js'
import type { Notice } from '../channel.js'
import { notify } from '../index.js'
import { isInnerAddress, isInnerHost, outerLookup } from './inner-address.js'
import { askMessage } from './payload.js'
import { push } from './push.js'

let service: PushService
beforeEach(async () => {
  service = await startPushService()
})
afterEach(() => service.close())

const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 60_000 })

/** A desk with push, and what people do there. */
async function desk() {
  const store = memoryStore()
  onTestFinished(() => store.close())
  const served = await attacked({
    store,
    notify: notify({ channels: [push({ allowInner: true, contact: 'mailto:ops@example.com' })] }),
    rules: [{ id: 'free', effect: 'allow', match: { tool: 'look', readOnly: true } }],
  })
  const send = (who: string, method: string, path: string, body?: unknown) =>
    served.send(who === 'shop' ? shop : tokenOf(who), method, path, body)
  return {
    ...served,
    by: send,
    subscribe: (who: string, subscription: object) => send(who, 'POST', '/api/notify/push/subscriptions', subscription),
    async ask(body: object) {
      return (await (await send('shop', 'POST', '/api/asks', body)).json()) as { session: string; id: string }
    },
    async devices(who: string) {
      const reply = (await (await send(who, 'GET', '/api/notify')).json()) as {
        channels: { push: { state: { publicKey: string; subscriptions: { id: string }[] } } }
      }
      return reply.channels.push.state
    },
  }
}

const pay = { id: 'pay', message: 'Pay 5 to Ben?', principal: 'alice', tool: 'pay', arguments: { card: '4111' } }

describe('push', () => {
  it('brings what is asked and by whom to every device of a person, encrypted and signed, and takes it back', async () => {
    const { subscribe, ask, by, devices } = await desk()
    const [phone, laptop, others] = [service.newDevice(), service.newDevice(), service.newDevice()]
    for (const device of [phone, laptop]) expect((await subscribe('alice', device.subscription)).status).toBe(200)
    await subscribe('mallory', others.subscription)
    const { session, id } = await ask(pay)
    await eventually(() => expect([phone.read().length, laptop.read().length]).toEqual([1, 1]))
    const message = JSON.parse(phone.read()[0] ?? '')
    expect(message).toMatchObject({ kind: 'ask', title: 'shop · pay', body: 'Pay 5 to Ben?', isAnswerable: true })
    expect(message.path).toBe(`/asks/${session}/${id}`)
    expect(phone.read()[0]).not.toContain('4111')
    const [first] = service.taken
    if (first === undefined) throw new Error('Nothing was sent.')
    expect(first.body.includes('Ben')).toBe(false)
    const { publicKey } = await devices('alice')
    expect(vapidClaims(first)).toMatchObject({ aud: service.url, sub: 'mailto:ops@example.com', key: publicKey })
    expect(first.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' })
    await by('alice', 'POST', `/api/asks/${session}/${id}/answer`, {})
    await eventually(() => expect([phone.read().length, laptop.read().length]).toEqual([2, 2]))
    expect(JSON.parse(laptop.read()[1] ?? '')).toEqual({ kind: 'ended', tag: message.tag })
    expect(service.taken.at(-1)?.headers.topic).toBe(first.headers.topic)
    expect(others.read()).toEqual([])
  })

  it('says nothing of what a rule decided at once', async () => {
    const { subscribe, ask } = await desk()
    const phone = service.newDevice()
    await subscribe('alice', phone.subscription)
    await ask({ id: 'one', message: 'Look?', principal: 'alice', tool: 'look', readOnly: true, approves: true })
    await ask({ ...pay, id: 'two' })
    await eventually(() => expect(phone.read()).toHaveLength(1))
    expect(phone.read()[0]).toContain('Pay 5')
  })

  it('removes a subscription that is gone, and tries again where a service fails', async () => {
    const { subscribe, ask, devices, errors } = await desk()
    const [phone, laptop] = [service.newDevice(), service.newDevice()]
    for (const device of [phone, laptop]) await subscribe('alice', device.subscription)
    service.answers.set(phone.path, 410)
    service.answers.set(laptop.path, 503)
    await ask(pay)
    await eventually(async () => expect((await devices('alice')).subscriptions).toHaveLength(1))
    await eventually(() => expect(errors).toHaveLength(1))
    expect(String(errors[0])).toBe(
      'Notifications by push: a notice could not be sent, and is tried again: the push service answered 503',
    )
    service.answers.clear()
    await eventually(() => expect(laptop.read()).toHaveLength(1))
    expect(phone.read()).toEqual([])
  })

  it('keeps ten devices of a person, and gives out no address of one', async () => {
    const { subscribe, devices } = await desk()
    const all = Array.from({ length: 11 }, () => service.newDevice())
    for (const device of all) await subscribe('alice', device.subscription)
    const state = await devices('alice')
    expect(state.subscriptions).toHaveLength(10)
    expect(JSON.stringify(state)).not.toContain(service.url)
  })

  it('tells in a browser that two people use in turn what the one is asked who was there last', async () => {
    const { subscribe, ask, devices } = await desk()
    const shared = service.newDevice()
    await subscribe('alice', shared.subscription)
    await subscribe('bob', shared.subscription)
    expect((await devices('alice')).subscriptions).toEqual([])
    await ask(pay)
    await ask({ ...pay, id: 'bobs', principal: 'bob', message: 'Bob?' })
    await eventually(() => expect(shared.read()).toHaveLength(1))
    expect(shared.read()[0]).toContain('Bob?')
  })

  it('sends a test to those who ask for one', async () => {
    const { subscribe, by } = await desk()
    expect(await (await by('alice', 'POST', '/api/notify/test', { channel: 'push' })).json()).toEqual({ isSent: false })
    const phone = service.newDevice()
    await subscribe('alice', phone.subscription)
    expect(await (await by('alice', 'POST', '/api/notify/test', { channel: 'push' })).json()).toEqual({ isSent: true })
    expect(phone.read()).toEqual(['{"kind":"test"}'])
  })

  it('has the same keys after a restart', async () => {
    const store = memoryStore()
    const keys = async () => {
      const channel = push()({ store, prefix: 'p/', clock: { now: () => 0, after: () => () => {} }, address: () => '' })
      return channel.state?.({ principal: 'alice' })
    }
    expect(await keys()).toEqual(await keys())
  })
})

describe('what may be answered where it is shown', () => {
  const notice: Notice = {
    id: 'i',
    session: 's',
    ask: 'a',
    link: 'https://desk.example/asks/s/a',
    kind: 'confirm',
    server: 'shop',
    message: 'Sure?',
    isDestructive: false,
    isSimple: true,
    askedAt: 1,
    expiresAt: 2,
    reminder: 0,
  }
  it.each([
    ['a short confirm', {}, true],
    ['one that can destroy something, takes a passkey or has a form', { isSimple: false }, false],
    ['one that is too long to be read there', { message: 'x'.repeat(300) }, false],
    ['one without words', { message: ' ' }, false],
  ])('%s', (_name, more, expected) => {
    expect(askMessage({ ...notice, ...more })).toMatchObject({ isAnswerable: expected })
  })

  it('fits into a push message, however long what is asked is', () => {
    for (const message of ['x', 'é', '😀', '"', '\u202e'].map(character => character.repeat(50_000))) {
      const bytes = Buffer.byteLength(JSON.stringify(askMessage({ ...notice, message })))
      expect(bytes).toBeLessThanOrEqual(3_100)
    }
  })
})

describe('an inner address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '::ffff:0:a00:1',
  ])('is %s', address => {
    expect(isInnerAddress(address)).toBe(true)
    const host = address.includes(':') ? `[${address}]` : address
    expect(isInnerHost(new URL(`https://${host}/`))).toBe(true)
  })

  it.each(['8.8.8.8', '142.250.1.1', '2a00:1450:4001::1'])('is not %s', address => {
    expect(isInnerAddress(address)).toBe(false)
  })

  it.each(['localhost', 'localhost.', 'db', 'metadata.google.internal', '0x7f.1', '2130706433', '127.1'])(
    'may be written as %s',
    host => {
      expect(isInnerHost(new URL(`https://${host}/`))).toBe(true)
    },
  )

  it('is not connected to by a name that leads there', async () => {
    const failure = await new Promise(resolve => outerLookup('localhost', {}, error => resolve(error?.message)))
    expect(failure).toBe('The name leads to an inner address.')
  })
})
