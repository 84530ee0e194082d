import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { launch, noBrowser } from '../browser/chromium.js'
import { connect, textOf } from '../flows/opened.js'
import { opening, type UrlWire, urlWires } from '../flows/wires.js'
import { setUp } from './signed-in.js'

const contexts: BrowserContext[] = []
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

/** A browser in which someone is signed in at our server. */
async function browserOf(user: string, base: string): Promise<BrowserContext> {
  const context = await (await launch()).newContext()
  await context.addCookies([{ name: 'user', value: user, url: base }])
  contexts.push(context)
  return context
}

/** Goes from our page to the authorization server. */
async function goOn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button').click()
  await page.waitForURL(/\/interaction\//)
}

async function logIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForSelector('#scope')
}

/** Does what it takes to let the server in. */
async function consent(page: Page, url: string, name: string): Promise<string> {
  await goOn(page, url)
  await logIn(page, name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/beckon\/oauth\/callback/)
  return page.getByRole('heading').innerText()
}

/** The same, by someone who then looks at the page once more, and goes back to where they came from. */
async function consentAndReload(page: Page, url: string, name: string): Promise<string[]> {
  const headings = [await consent(page, url, name)]
  await page.reload()
  headings.push(await page.getByRole('heading').innerText())
  await page.goto(url)
  return [...headings, await page.getByRole('heading').innerText()]
}

const title = `oauth in Chromium${noBrowser === undefined ? '' : ` (${noBrowser})`}`

describe.skipIf(noBrowser !== undefined)(title, { timeout: 120_000 }, () => {
  async function asked(user: string, visit: (page: Page, url: string) => Promise<unknown>, wire: UrlWire = 'rounds') {
    const { server, base, ...rest } = await setUp()
    const client = connect(server, {
      // Each time in a browser that is not signed in there.
      ...opening(wire, async url => visit(await (await browserOf(user, base)).newPage(), url)),
      principal: user,
    })
    return { server, base, client, ...rest }
  }

  it.each(urlWires)('has a person sign in and consent once, and the handler use the token, on %s', async wire => {
    const headings: string[] = []
    const { client, idp } = await asked(
      'alice',
      async (page, url) => headings.push(...(await consentAndReload(page, url, 'ally'))),
      wire,
    )
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    expect(headings).toEqual(['Done', 'Done', 'This is already done'])
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    expect(client.asked).toHaveLength(1)
    expect(client.asked[0]).toMatchObject({ kind: 'url', message: `Sign in at ${new URL(idp.issuer).host} to go on.` })
    // The authorization code was exchanged once, and nothing that the client saw has a token in it.
    expect(idp.seen).toEqual(['authorization_code'])
    expect(JSON.stringify(client.messages)).not.toMatch(/access_token|refresh_token|Bearer|code_verifier/)
  })

  it('takes no for an answer', async () => {
    const { client, idp } = await asked('alice', async (page, url) => {
      await goOn(page, url)
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.waitForURL(/\/beckon\/oauth\/callback/)
      expect(await page.getByRole('heading').innerText()).toBe('That did not work')
    })
    const result = await client.callTool('who')
    expect(result).toMatchObject({ isError: true })
    expect(textOf(result)).toContain(`Access was not allowed at ${new URL(idp.issuer).host}.`)
    expect(idp.seen).toEqual([])
  })

  it('refreshes a token that has expired, and asks again when everything was revoked', async () => {
    const { client, idp } = await asked('alice', (page, url) => consent(page, url, 'ally'))
    // Less than the time that a token has to be good for.
    idp.ttlSeconds = 5
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    idp.ttlSeconds = 3600
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    expect(client.asked).toHaveLength(1)
    expect(idp.seen).toContain('refresh_token')
    await idp.revoke('ally')
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    expect(client.asked).toHaveLength(2)
  })

  it('keeps two people apart', async () => {
    const { server, base, client } = await asked('alice', (page, url) => consent(page, url, 'ally'))
    const bobs = await browserOf('bob', base)
    const bob = connect(server, {
      ...opening('rounds', async url => consent(await bobs.newPage(), url, 'bobby')),
      principal: 'bob',
    })
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    expect(textOf(await bob.callTool('who'))).toBe('200 bobby')
    expect(textOf(await client.callTool('who'))).toBe('200 ally')
    expect([client.asked.length, bob.asked.length]).toEqual([1, 1])
  })

  it('lets nobody sign in for somebody else', async () => {
    // Bob has a call going, and sends Alice his link: first our own, then the one of the authorization server.
    const { server, base, idp } = await setUp()
    const [alices, bobs] = [await browserOf('alice', base), await browserOf('bob', base)]
    const bob = connect(server, {
      principal: 'bob',
      async answer(ask) {
        if (ask.kind !== 'url') return 'decline'
        const page = await alices.newPage()
        await page.goto(ask.url)
        expect(await page.getByRole('heading').innerText()).toBe('This link is not yours')
        const own = await bobs.newPage()
        const leaving = own.waitForRequest(request => request.url().startsWith(`${idp.issuer}/auth?`))
        await own.goto(ask.url)
        await own.getByRole('button').click()
        await page.goto((await leaving).url())
        await logIn(page, 'ally')
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/\/beckon\/oauth\/callback/)
        expect(await page.getByRole('heading').innerText()).toBe('This link is not yours')
        return 'decline'
      },
    })
    expect(await bob.callTool('who')).toMatchObject({ isError: true })
    expect(idp.seen).toEqual([])
  })

  it('asks again for a scope that was not asked for before', async () => {
    const scopes: string[] = []
    const { server, client, hub } = await asked('alice', async (page, url) => {
      await goOn(page, url)
      await logIn(page, 'ally')
      scopes.push(await page.locator('#scope').innerText())
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(/\/beckon\/oauth\/callback/)
    })
    server.tool('photos', hub.requires('photos'), {}, async (_input, ctx) => (await hub.token(ctx)).scopes.join(' '))
    await client.callTool('who')
    expect(textOf(await client.callTool('photos'))).toBe('openid notes photos')
    expect(textOf(await client.callTool('photos'))).toBe('openid notes photos')
    expect(scopes).toEqual(['openid notes', 'openid notes photos'])
  })
})
