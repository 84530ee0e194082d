// Accepting with a passkey in the inbox: a real desk, and Chromium with a virtual authenticator for each person.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { runBeckon } from '../../cli/test/beckon.js'
import { freePort } from '../../desk/test/free-port.js'
import { passkeys } from '../../server/src/passkeys/index.js'
import { pressOn, tabTo } from './by-keyboard.js'
import { eventually, hasBrowser, type Person, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

const folder = mkdtempSync(join(tmpdir(), 'beckon-passkeys-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Transport = 'internal' | 'usb'

/** Gives someone a device that verifies that it is them. It is touched whenever a browser asks, until it is told otherwise. */
async function giveDevice({ page }: Person, transport: Transport = 'internal') {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    touch: (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

describe.skipIf(!hasBrowser)('an ask that takes a passkey, in the inbox', { timeout: 2 * patienceMs }, () => {
  const rig = new Rig()
  rig.attend({ startsDesk: false })
  beforeEach(async () => {
    rig.url = `http://localhost:${await freePort()}/`
    await rig.start({ publicUrl: rig.url.slice(0, -1), passkeys: passkeys() })
  })

  it('is accepted with one, which is made first, and the receipt is checked offline on the command line', async () => {
    const outcome = rig.ask({ message: 'Pay 5 to ben?' }, { person: 'verified' })
    const ana = await rig.visit('ana')
    await giveDevice(ana)
    await ana.open('Pay 5 to ben?')
    await ana.press('Accept with passkey')
    await ana.outcome().getByText('Accepted by you').waitFor()
    const { receipt = '', ...rest } = await outcome
    expect(rest).toEqual({ action: 'accept', content: {}, by: [{ principal: 'ana' }] })
    const [file, jwks] = [join(folder, 'receipt.jws'), join(folder, 'jwks.json')]
    writeFileSync(file, receipt)
    writeFileSync(jwks, await (await fetch(new URL('/beckon/receipts/jwks.json', rig.url))).text())
    await rig.stop()
    const { code, stdout } = await runBeckon(['receipt', 'verify', file, '--jwks', jwks])
    expect(stdout).toMatch(/^Good: signed by http:\/\/localhost/)
    expect(stdout).toMatch(/by +ana, with a passkey/)
    expect(code).toBe(0)
  })

  it('is not accepted by who has no such device, and says so', async () => {
    const first = rig.ask({ message: 'One?' }, { person: 'verified' })
    const ana = await rig.visit('ana')
    await giveDevice(ana)
    await ana.open('One?')
    await ana.press('Accept with passkey')
    await first
    const second = rig.ask({ message: 'Two?' }, { person: 'verified' })
    // Somebody who has got hold of her session, and not of her device.
    const thief = await rig.visit('ana')
    await giveDevice(thief)
    await thief.open('Two?')
    await thief.press('Accept with passkey')
    await thief.page.getByText('That was not confirmed').waitFor()
    await thief.press('Decline')
    expect(await second).toMatchObject({ action: 'decline' })
  })

  it('is not accepted with what the device said before, nor with what somebody else’s said', async () => {
    const [first, second] = [
      rig.ask({ id: 'one', message: 'One?' }, { person: 'verified' }),
      rig.ask({ id: 'two', message: 'Two?' }, { person: 'verified' }),
    ]
    const [ana, ben] = [await rig.visit('ana'), await rig.visit('ben')]
    /** What stands between someone and the desk, and puts in something else for what their device says. */
    const sent: unknown[] = []
    let put: unknown
    for (const { page } of [ana, ben]) {
      await page.routeWebSocket(/\/live$/, socket => {
        const desk = socket.connectToServer()
        socket.onMessage(message => {
          const frame = JSON.parse(String(message)) as { params?: { action?: { passkey?: unknown } } }
          const { action } = frame.params ?? {}
          if (action?.passkey !== undefined) {
            sent.push(action.passkey)
            if (put !== undefined) action.passkey = put
          }
          desk.send(JSON.stringify(frame))
        })
      })
      await page.reload()
    }
    await giveDevice(ana)
    await giveDevice(ben)
    await ana.open('One?')
    await ana.press('Accept with passkey')
    expect(await first).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    put = sent[0]
    await ana.open('Two?')
    await ana.press('Accept with passkey')
    await ana.page.getByText('was for something else').waitFor()
    await ben.open('Two?')
    await ben.press('Accept with passkey')
    await ben.page.getByText('This passkey is not one of yours here.').waitFor()
    expect(sent).toHaveLength(3)
    put = undefined
    await ana.press('Accept with passkey')
    expect(await second).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
  })

  it('is not accepted with another amount than the device was asked about', async () => {
    const questions = [
      { id: 'amount', kind: 'number', title: 'Amount', message: 'Amount', required: true },
      { id: 'note', kind: 'text', title: 'Note', message: 'Note' },
    ] as const
    const outcome = rig.ask({ id: 'pay', message: 'Pay ben', questions: [...questions] }, { person: 'verified' })
    const ana = await rig.visit('ana')
    await giveDevice(ana)
    await ana.open('Pay ben')
    await ana.question('Amount').locator('#control').fill('5')
    // Something between her and the desk has her device confirm another amount than she sees.
    await ana.page.route('**/api/asks/**/challenge', async route => {
      const sent = route.request().postDataJSON() as { answers: Record<string, unknown> }
      const changed = { ...sent.answers, amount: { state: 'submitted', value: { kind: 'number', value: 500 } } }
      await route.continue({ postData: JSON.stringify({ answers: changed }) })
    })
    await ana.press('Accept with passkey')
    await ana.page.getByText('was for something else').waitFor()
    await ana.page.unroute('**/api/asks/**/challenge')
    await ana.press('Accept with passkey')
    expect(await outcome).toMatchObject({ action: 'accept', content: { amount: 5 } })
  })
})

describe.skipIf(!hasBrowser)('what is somebody’s own, in the inbox', { timeout: 2 * patienceMs }, () => {
  const rig = new Rig()
  rig.attend({ startsDesk: false })
  const startWithPasskeys = async () => {
    rig.url = `http://localhost:${await freePort()}/`
    await rig.start({ publicUrl: rig.url.slice(0, -1), passkeys: passkeys() })
  }

  it('has their passkeys: a first is made, another device added and one removed, by keyboard', async () => {
    await startWithPasskeys()
    const ana = await rig.visit('ana')
    const { page } = ana
    const add = async (name: string) => {
      await tabTo(ana, 'Name of the device', 'textbox')
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await page.getByText('Added.').waitFor()
      await page.getByRole('button', { name: `Remove: ${name}` }).waitFor()
    }
    const laptop = await giveDevice(ana)
    await pressOn(ana, 'You')
    await page.getByRole('heading', { name: 'Your passkeys' }).waitFor()
    await page.getByText('You have none here yet.').waitFor()
    await add('Laptop')
    expect(await violations(ana)).toEqual([])
    // She confirms with the laptop, and then touches the key that is to be the other.
    const key = await giveDevice(ana, 'usb')
    await key.touch(false)
    await page.exposeFunction('turnToKey', () => Promise.all([laptop.touch(false), key.touch(true)]))
    await page.evaluate(() => {
      const create = navigator.credentials.create.bind(navigator.credentials)
      navigator.credentials.create = async options => {
        await (window as unknown as { turnToKey(): Promise<void> }).turnToKey()
        return create(options)
      }
    })
    await add('Key on my ring')
    await page
      .getByText(/last used/)
      .first()
      .waitFor()
    expect(await violations(ana)).toEqual([])
    await pressOn(ana, 'Remove: Laptop')
    await page.getByText('Removed.').waitFor()
    await eventually(() => page.getByRole('button', { name: /^Remove: / }).allInnerTexts()).toHaveLength(1)

    // The one that is left confirms.
    const outcome = rig.ask({ message: 'Pay 5 to ben?' }, { person: 'verified' })
    await page.keyboard.press('Escape')
    await ana.open('Pay 5 to ben?')
    await ana.press('Accept with passkey')
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    const told = (await rig.desk?.audit.query({ principal: 'ana' })) ?? []
    const events = told.map(({ event }) => event).filter(event => event.startsWith('passkey'))
    expect(events).toEqual(['passkey-added', 'passkey-added', 'passkey-removed'])
  })

  it('lets nobody add or remove a passkey who has their session and not their device, and says so', async () => {
    await startWithPasskeys()
    const ana = await rig.visit('ana')
    await giveDevice(ana)
    await pressOn(ana, 'You')
    await pressOn(ana, 'Add a passkey')
    await ana.page.getByText('Added.').waitFor()
    const thief = await rig.visit('ana')
    await giveDevice(thief)
    for (const act of ['Add a passkey', 'Remove: Passkey']) {
      if (act === 'Add a passkey') await pressOn(thief, 'You')
      await pressOn(thief, act)
      await thief.page.getByRole('alert').getByText('That was not confirmed').waitFor()
    }
    expect(await thief.page.getByRole('button', { name: /^Remove: / }).count()).toBe(1)
    expect(await violations(thief)).toEqual([])
  })

  it('is in German for who reads German', async () => {
    await startWithPasskeys()
    const ana = await rig.visit('ana', { locale: 'de-DE' })
    await giveDevice(ana)
    await pressOn(ana, 'Sie')
    await tabTo(ana, 'Name des Geräts', 'textbox')
    await ana.page.keyboard.type('Laptop')
    await pressOn(ana, 'Passkey anlegen')
    await ana.page.getByText('Angelegt.', { exact: true }).waitFor()
    await pressOn(ana, 'Entfernen: Laptop')
    await ana.page.getByText('Entfernt.').waitFor()
    await ana.page.getByText('Sie haben hier noch keinen.').waitFor()
    expect(await violations(ana)).toEqual([])
  })

  it('has no passkeys on a desk that takes none', async () => {
    await rig.start()
    const ana = await rig.visit('ana')
    await pressOn(ana, 'You')
    await ana.page.getByRole('heading', { name: 'What you always allow' }).waitFor()
    await ana.page.waitForLoadState('networkidle')
    expect(await ana.page.getByRole('heading', { name: 'Your passkeys' }).count()).toBe(0)
  })
})
