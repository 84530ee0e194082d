// Notifications of a real desk in a real browser, with no page of the inbox open. What is real: the settings in the page, its
// service worker, REST, the desk's keys, the encryption (RFC 8291) and the signature (RFC 8292) of what it sends, the mail server.
// What stands in: the push service is one on this machine, since a browser's own cannot be reached from everywhere; so the test
// makes the subscription that the browser would have got from it, decrypts with its keys what the service took, and hands that
// to the service worker through the browser's own debugging protocol. And there is no way to tap a notification from outside:
// its click is dispatched in the worker.
import type { CDPSession, Worker } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { email } from '../../desk/src/notify/email/email.js'
import { notify } from '../../desk/src/notify/index.js'
import { push } from '../../desk/src/notify/push/push.js'
import { startMailServer } from '../../desk/test/mail-server.js'
import { type Device, startPushService } from '../../desk/test/push-service.js'
import { eventually, hasFullBrowser, type Person, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()

/** A browser whose push service is ours. */
async function visitWithPush(device: Device, path = '/'): Promise<Person> {
  const ana = await rig.visit('ana', { serviceWorkers: 'allow', permissions: ['notifications'], path })
  await ana.page.addInitScript(subscription => {
    let current: object | null = null
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        const bytes = Uint8Array.from(atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), char =>
          char.charCodeAt(0),
        )
        const options = { applicationServerKey: bytes.buffer }
        const unsubscribe = async () => {
          current = null
          return true
        }
        current = { ...subscription, options, unsubscribe, toJSON: () => subscription }
        return current
      },
    })
  }, device.subscription)
  await ana.page.reload()
  return ana
}

/** Hands what the push service took for a device to the service worker, once there is so much of it. */
class Delivery {
  #given = 0
  readonly #cdp: CDPSession
  readonly #device: Device
  readonly #worker: Worker
  #registration = ''

  constructor(cdp: CDPSession, device: Device, worker: Worker) {
    this.#cdp = cdp
    this.#device = device
    this.#worker = worker
  }

  async begin(): Promise<void> {
    // What a push or a tap makes the worker do is waited for: Chromium drops a notification that a test lists while it is being shown.
    await this.#worker.evaluate(() => {
      const scope = globalThis as unknown as InWorker
      const { waitUntil } = scope.ExtendableEvent.prototype
      scope.works = []
      scope.ExtendableEvent.prototype.waitUntil = function (work) {
        scope.works.push(work)
        return waitUntil.call(this, work)
      }
    })
    this.#cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      this.#registration = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? this.#registration
    })
    await this.#cdp.send('ServiceWorker.enable')
    await eventually(() => this.#registration).not.toBe('')
  }

  /** Hands over the last one once more. */
  async again(): Promise<void> {
    this.#given--
    await this.next()
  }

  async next(): Promise<string> {
    await eventually(() => this.#device.read().length).toBeGreaterThan(this.#given)
    const data = this.#device.read()[this.#given++] ?? ''
    const origin = rig.url.replace(/\/$/, '')
    const done = await this.#worker.evaluate(() => (globalThis as unknown as InWorker).works.length)
    await this.#cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: this.#registration, data })
    await eventually(() => this.#doneBeyond(done)).toBe(true)
    return data
  }

  #doneBeyond(done: number): Promise<boolean> {
    return this.#worker.evaluate(async done => {
      const { works } = globalThis as unknown as InWorker
      await Promise.allSettled(works)
      return works.length > done
    }, done)
  }
}

interface Shown {
  readonly title: string
  readonly body: string
  readonly actions: readonly string[]
}

/** What is there in a service worker, which the types of pages do not have. */
interface InWorker {
  readonly registration: {
    getNotifications(): Promise<(Notification & { actions: { action: string }[] })[]>
  }
  readonly ExtendableEvent: { readonly prototype: { waitUntil(this: Event, work: Promise<unknown>): void } }
  /** What events made the worker do. */
  works: Promise<unknown>[]
  dispatchEvent(event: Event): boolean
}

const shownBy = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as InWorker
    return (await registration.getNotifications()).map(({ title, body, actions }) => ({
      title,
      body,
      actions: actions.map(({ action }) => action),
    }))
  })

const openedBy = (worker: Worker): Promise<string | undefined> =>
  worker.evaluate(() => (globalThis as unknown as { opened?: string }).opened)

/** Taps the only notification that is shown, or one of its buttons. */
const tap = (worker: Worker, action: string): Promise<void> =>
  worker.evaluate(async action => {
    const scope = globalThis as unknown as InWorker & { NotificationEvent: new (type: string, init: object) => Event }
    const [notification] = await scope.registration.getNotifications()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action }))
    await Promise.allSettled(scope.works)
  }, action)

describe.skipIf(!hasFullBrowser)('a person who is not at the inbox', { timeout: 4 * patienceMs }, () => {
  rig.attend({ startsDesk: false, isFull: true })

  it('is told by push and e-mail, answers from a notification, and finds none of what was answered elsewhere', async () => {
    const [service, mail] = [await startPushService(), await startMailServer()]
    onTestFinished(() => service.close())
    onTestFinished(() => mail.close())
    const letters = email({ smtp: mail.url, from: 'desk@example.com', addressOf: name => `${name}@example.com` })
    await rig.start({ notify: notify({ channels: [push({ allowInner: true }), letters] }) })
    const device = service.newDevice()
    const ana = await visitWithPush(device)
    const { page } = ana

    // She turns it on, in the settings.
    await page.getByRole('button', { name: 'Notify me of new asks' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByText('No device of yours').waitFor()
    await dialog.getByLabel('Notify me on this device').check()
    await dialog.getByText('Also while the inbox is closed.').waitFor()
    await dialog.getByText('One device takes push messages.').waitFor()
    expect(await violations(ana)).toEqual([])
    await dialog.getByLabel('Tell me by e-mail').uncheck()
    await dialog.getByText('Saved.').waitFor()
    await dialog.getByLabel('Tell me by e-mail').check()
    await dialog.getByRole('group', { name: 'E-mail' }).getByLabel('When an ask').selectOption({ label: 'at once' })
    await dialog.getByLabel('Quiet hours').check()
    await dialog.getByText('In the time of Europe/Berlin').waitFor()
    await dialog.getByLabel('Quiet hours').uncheck()
    await dialog.getByLabel('From').waitFor({ state: 'detached' })
    await dialog.getByText('Saved.').waitFor()

    // Nothing of the inbox is open from here on.
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
    const blank = await page.context().newPage()
    const delivery = new Delivery(await page.context().newCDPSession(blank), device, worker)
    await delivery.begin()
    await dialog.getByRole('group', { name: 'Push' }).getByRole('button', { name: 'Send a test' }).click()
    await dialog.getByText('A test is on its way.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Notifications are on' }).waitFor()
    await page.close()
    await delivery.next()
    await eventually(() => shownBy(worker)).toMatchObject([{ title: 'Notifications work' }])
    // Only a real tap may open a window: it is written down instead.
    await worker.evaluate(() => {
      const { clients } = globalThis as unknown as { clients: object }
      Object.assign(clients, { openWindow: async (path: string) => Object.assign(globalThis, { opened: path }) })
    })
    await tap(worker, '')
    await eventually(() => shownBy(worker)).toEqual([])
    await eventually(() => openedBy(worker)).toBe('/')

    // What is asked and by whom; answered on another device, it is gone.
    const first = rig.ask(
      {
        id: 'first',
        message: 'Send the newsletter?',
        _meta: { 'beckon/tool': 'send', 'beckon/arguments': { to: 'all' } },
      },
      { audience: { principals: ['ana'] } },
    )
    expect(await delivery.next()).not.toContain('all"')
    await eventually(() => shownBy(worker)).toEqual([
      { title: 'shop · send', body: 'Send the newsletter?', actions: ['accept', 'decline'] },
    ])
    await eventually(() => mail.letters.length).toBe(1)
    await tap(worker, '')
    await eventually(() => openedBy(worker)).toBe('/asks/shop/first')
    // It was closed by the tap, and comes again with a reminder, say.
    await delivery.again()
    await eventually(() => shownBy(worker)).toHaveLength(1)
    const elsewhere = await rig.visit('ana')
    await elsewhere.open('Send the newsletter?')
    await elsewhere.press('Decline')
    expect(await first).toMatchObject({ action: 'decline' })
    await delivery.next()
    await eventually(() => shownBy(worker)).toEqual([])

    // A confirm is answered where it is shown.
    const second = rig.ask({ id: 'second', message: 'Water the plants?' }, { audience: { principals: ['ana'] } })
    await delivery.next()
    await eventually(() => shownBy(worker)).toMatchObject([{ body: 'Water the plants?' }])
    await tap(worker, 'accept')
    expect(await second).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    await eventually(() => shownBy(worker)).toEqual([])
    await delivery.next()

    // Not so what can destroy something: a tap on it opens the ask.
    const third = rig.ask(
      { id: 'third', message: 'Delete everything?', _meta: { 'beckon/destructive': true } },
      { audience: { principals: ['ana'] } },
    )
    const { path, ...pushed } = JSON.parse(await delivery.next()) as { path: string }
    await eventually(() => shownBy(worker)).toMatchObject([{ body: 'Delete everything?', actions: [] }])
    // Nor where a message only says that it may be.
    await worker.evaluate(
      async data => {
        const scope = globalThis as unknown as InWorker & {
          NotificationEvent: new (type: string, init: object) => Event
        }
        const [notification] = await scope.registration.getNotifications()
        Object.defineProperty(notification, 'data', { value: data })
        scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: 'accept' }))
        await Promise.allSettled(scope.works)
      },
      { ...pushed, path, isAnswerable: true },
    )
    await eventually(() => shownBy(worker)).toMatchObject([{ title: 'Your answer was not sent' }])
    const again = await blank.context().newPage()
    await again.goto(rig.url)
    await again.locator('beckon-ask-list .row', { hasText: 'Delete everything?' }).waitFor()
    await tap(worker, '')
    await again.locator('beckon-request .message', { hasText: 'Delete everything?' }).waitFor()
    expect(new URL(again.url()).pathname).toBe(path)
    await again.locator('beckon-request').getByRole('button', { name: 'Decline', exact: true }).click()
    expect(await third).toMatchObject({ action: 'decline' })

    // The desk is away: the page opens all the same, and says so.
    await rig.stop()
    await again.reload()
    await again.locator('beckon-inbox').getByText('No connection.').waitFor()
  })

  it('is told nothing any more on a device where they signed out', async () => {
    const service = await startPushService()
    onTestFinished(() => service.close())
    await rig.start({ notify: notify({ channels: [push({ allowInner: true })] }) })
    const device = service.newDevice()
    const ana = await visitWithPush(device)
    const { page } = ana
    await page.getByRole('button', { name: 'Notify me of new asks' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByLabel('Notify me on this device').check()
    await dialog.getByText('One device takes push messages.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.locator('#account').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    const subscription = await page.evaluate(async () =>
      (await navigator.serviceWorker.ready).pushManager.getSubscription(),
    )
    expect(subscription).toBeNull()

    // The desk has no device of hers, whoever looks.
    const again = await rig.visit('ana')
    await again.page.getByRole('button', { name: 'Notify me of new asks' }).click()
    await again.page.getByText('No device of yours takes push messages yet.').waitFor()
    expect(device.read()).toEqual([])
  })

  it('keeps what they change while an earlier change is on its way, and sees what the desk has when one fails', async () => {
    const mail = await startMailServer()
    onTestFinished(() => mail.close())
    const letters = email({ smtp: mail.url, from: 'desk@example.com', addressOf: name => `${name}@example.com` })
    await rig.start({ notify: notify({ channels: [letters] }) })
    const { page, complaints } = await rig.visit('ana')
    let release = (): void => {}
    const isReleased = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/notify', async route => {
      if (route.request().method() === 'PUT') await isReleased
      await route.continue()
    })
    await page.getByRole('button', { name: 'Notify me of new asks' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    const byMail = dialog.getByRole('group', { name: 'E-mail' })
    await byMail.getByLabel('Tell me by e-mail').uncheck()
    await byMail.getByLabel('When an ask').selectOption({ label: 'at once' })
    await dialog.getByLabel('Quiet hours').check()
    release()
    await dialog.getByText('Saved.').waitFor()
    const kept = () => page.evaluate(async () => (await fetch('/api/notify')).json())
    expect(await kept()).toMatchObject({
      channels: { email: { isOn: false, delayMs: 0 } },
      quiet: { from: '22:00', to: '07:00' },
    })

    await page.unroute('**/api/notify')
    await page.route('**/api/notify', route => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
    await byMail.getByLabel('Tell me by e-mail').click()
    await dialog.getByText('That could not be saved. Try again.').waitFor()
    expect(await byMail.getByLabel('Tell me by e-mail').isChecked()).toBe(false)
    await eventually(() => complaints.splice(0)).toHaveLength(1)
  })

  it('is told nothing on a desk that tells nobody, but by the page while it is open', async () => {
    await rig.start()
    const ana = await rig.visit('ana', { permissions: ['notifications'], locale: 'de-DE' })
    await ana.page.getByRole('button', { name: 'benachrichtigen' }).click()
    const dialog = ana.page.getByRole('dialog', { name: 'Benachrichtigungen' })
    await dialog.getByText('Dieser Desk sendet nichts').waitFor()
    await dialog.getByLabel('Auf diesem Gerät').check()
    await dialog.getByText('Solange der Posteingang in diesem Browser offen ist.').waitFor()
  })
})
