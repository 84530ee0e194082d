// What people see whom the desk does not know any more: who comes in is the desk's business, what to do about it is the
// inbox's.
import type { Question } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { type Access, oidcAccess } from '../../desk/src/index.js'
import { clientId, clientSecret, serveAuthorization } from '../../desk/test/authorization-server.js'
import { accessWithPage } from './access-with-page.js'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const questions: Question[] = [{ id: 'name', kind: 'text', title: 'Name', message: 'Name', required: true, max: 60 }]

describe.skipIf(!hasBrowser)('someone whom the desk does not know any more', { timeout: 4 * patienceMs }, () => {
  rig.attend({ startsDesk: false })

  it('is told where the next link is, and goes on with what they wrote once they opened it', async () => {
    const { link, newLink } = await rig.start({ access: undefined })
    const outcome = rig.ask({ message: 'Who are you?', questions })
    const ana = await rig.visit('ana', { path: link })
    const { page } = ana
    await ana.open('Who are you?')
    await ana.question('Name').locator('#control').fill('Ana')
    await page.evaluate(() => fetch('/sign-out', { method: 'POST' }))
    const banner = page.locator('beckon-inbox .banner')
    await banner.getByText('You are signed out.').waitFor()
    expect(await banner.textContent()).toContain('Open the one-time link that the desk printed')
    expect(await banner.getByRole('button', { name: 'Sign in' }).count()).toBe(0)
    await ana.question('Name').locator('#control').fill('Ana Lima')

    const other = await page.context().newPage()
    await other.goto(newLink())
    await other.close()
    await banner.waitFor({ state: 'detached' })
    expect(await ana.question('Name').locator('#control').inputValue()).toBe('Ana Lima')
    await ana.press('Send answer')
    expect(await outcome).toMatchObject({ action: 'accept', content: { name: 'Ana Lima' } })
  })

  it('leaves nothing in the browser of what they typed, where they sign out on the page that the desk has for it', async () => {
    const { link } = await rig.start({ access: undefined })
    void rig.ask({ message: 'Who are you?', questions })
    const ana = await rig.visit('ana', { path: link })
    const { page } = ana
    const kept = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
    await ana.open('Who are you?')
    await page.evaluate(() => {
      WebSocket.prototype.send = () => {}
    })
    await ana.question('Name').locator('#control').fill('Ana')
    await eventually(kept).toContain('Ana')
    await page.goto(new URL('/sign-out', rig.url).href)
    expect(await kept()).toContain('Ana')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out of this desk.').waitFor()
    expect(await kept()).toBe('[]')
  })

  it('gets a button where the desk has a page to sign in', async () => {
    const access = accessWithPage()
    await rig.start({ access })
    const ana = await rig.visit('ana')
    const { page } = ana
    await page.getByText('Nothing to answer').waitFor()
    access.isOut = true
    await rig.stop()
    await rig.start({ access })
    const banner = page.locator('beckon-inbox .banner')
    await banner.getByText('Sign in with id.example to use this desk.').waitFor()
    await banner.getByRole('button', { name: 'Sign in' }).click()
    await eventually(() => banner.count()).toBe(0)
    await page.getByText('Nothing to answer').waitFor()
  })

  it('is never told that the connection is missing, also when they sign in while the page asks why', async () => {
    const { link, newLink } = await rig.start({ access: undefined })
    const { page } = await rig.visit('ana', { path: link })
    await page.getByText('Nothing to answer').waitFor()
    const told = await page.locator('beckon-inbox').evaluateHandle(({ shadowRoot }) => {
      const told: string[] = []
      const look = () => {
        const said = shadowRoot?.querySelector('.banner')?.textContent ?? 'nothing'
        const words = said.match(/You are signed out|No connection|Connecting|nothing/)?.[0] ?? said
        if (told.at(-1) !== words) told.push(words)
      }
      if (shadowRoot)
        new MutationObserver(look).observe(shadowRoot, { subtree: true, childList: true, characterData: true })
      look()
      return told
    })
    await page.evaluate(() => fetch('/sign-out', { method: 'POST' }))
    await page.locator('beckon-inbox .banner').getByText('You are signed out.').waitFor()
    await page.route('**/live', async route => {
      await page.context().request.get(newLink())
      await route.continue()
    })
    await eventually(async () => (await told.jsonValue()).at(-1)).toBe('nothing')
    expect(await told.jsonValue()).toEqual(['nothing', 'You are signed out', 'nothing'])
  })

  it('signs in with OpenID Connect, and is at the ask whose link they opened', async () => {
    const provider = await serveAuthorization(Date.now)
    // The desk's address is in its settings, and is known only once it listens.
    let access: Access | undefined
    const later: Access = {
      authenticate: async request => access?.authenticate(request),
      handle: async request => access?.handle(request),
      challenge: request => access?.challenge?.(request) ?? { status: 500, headers: [], body: '' },
    }
    const { url } = await rig.start({ access: later })
    access = oidcAccess({ issuer: provider.issuer, clientId, clientSecret, publicUrl: new URL(url).origin })
    const principals = [`${provider.issuer}#alice`]
    void rig.ask({ id: 'first', message: 'Not this one?', questions }, { audience: { principals } })
    const outcome = rig.ask({ id: 'wanted', message: 'Who are you?', questions }, { audience: { principals } })
    const alice = await rig.visit('alice', { path: '/asks/shop/wanted' })
    expect(new URL(alice.page.url()).pathname).toBe('/asks/shop/wanted')
    await alice.question('Name').locator('#control').fill('Alice')
    await alice.press('Send answer')
    expect(await outcome).toMatchObject({ action: 'accept', content: { name: 'Alice' } })
  })
})
