// Accepting with a passkey in the inbox: a real desk, and Chromium with a virtual authenticator for each person.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { runBeckon } from '../../cli/test/beckon.js'
import { freePort } from '../../desk/test/free-port.js'
import { passkeys } from '../../server/src/passkeys/index.js'
import { hasBrowser, type Person, patienceMs, Rig } from './rig.js'

const folder = mkdtempSync(join(tmpdir(), 'beckon-passkeys-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Gives someone a device that verifies that it is them. */
async function giveDevice({ page }: Person): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
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
