import { describe, expect, it, vi } from 'vitest'
import { oauth } from '../../src/middleware/oauth/index.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { aliceIsThere, aliceWith, publicUrl } from './alice-is-there.js'
import { granted, littleIssuer, refused } from './little-issuer.js'

vi.setConfig({ testTimeout: 60_000 })

describe('an authorization server', () => {
  it('that refuses the code grants nothing', async () => {
    const { alice, back, idp, result } = await aliceIsThere()
    idp.reply = () => refused('invalid_grant')
    expect(await alice.get(back())).toMatchObject({ status: 400, title: 'That did not work' })
    expect(textOf(await result)).toContain('refused the sign-in (invalid_grant)')
  })

  it('that is too slow is given up, with a page that says so', async () => {
    // Nothing else is asked of it, so that nothing else can be too slow.
    const idp = await littleIssuer()
    const endpoints = { authorization: `${idp.issuer}/auth`, token: `${idp.issuer}/token` }
    const { alice, back, result } = await aliceWith({ endpoints, answerMs: 50 })
    idp.reply = () => undefined
    const page = await alice.get(back)
    expect(page).toMatchObject({ status: 400 })
    expect(page.text).toContain('could not be reached')
    expect(textOf(await result)).toContain('could not be reached')
  })

  it('that is down when the call begins is a clear result, and works once it is back', async () => {
    const gone = await littleIssuer()
    await gone.close()
    const server = serve({ publicUrl, identify })
    const hub = oauth({ issuer: gone.issuer, clientId: 'mcp' })
    server.tool('token', hub, {}, () => 'ran')
    const client = connect(server, { principal: 'alice', answer: ['accept'] })
    const result = await client.callTool('token')
    expect(result).toMatchObject({ isError: true })
    expect(textOf(result)).toBe(
      `The page could not be prepared: ${new URL(gone.issuer).host} could not be reached. Nothing was done.`,
    )
    expect(client.asked).toEqual([])
  })

  it('that is down when the person comes back is a clear page and a clear result', async () => {
    const { alice, back, idp, result } = await aliceIsThere()
    await idp.close()
    const page = await alice.get(back())
    expect(page).toMatchObject({ status: 400, title: 'That did not work' })
    expect(page.text).toContain('could not be reached. Nothing was granted.')
    expect(textOf(await result)).toMatch(/could not be reached\. Nothing was done\.$/)
  })

  it('that leads to something that is no web address leads nowhere', async () => {
    const server = serve({ publicUrl, identify })
    const endpoints = {
      issuer: 'https://id.example',
      authorization: 'javascript:alert(1)',
      token: 'https://id.example/',
    }
    server.tool('token', oauth({ endpoints, clientId: 'mcp' }), {}, () => 'ran')
    const client = connect(server, { principal: 'alice', answer: [] })
    const result = await client.callTool('token')
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('is refused') }] })
    expect(client.asked).toEqual([])
  })

  it('that sends rubbish is not trusted', async () => {
    for (const body of [{}, 'text', { access_token: 5, token_type: 'bearer' }, { access_token: 'x' }]) {
      const { alice, back, idp, result } = await aliceIsThere()
      idp.reply = () => ({ status: 200, body })
      expect(await alice.get(back())).toMatchObject({ status: 400 })
      expect(await result).toMatchObject({ isError: true })
    }
  })
})

describe('oauth()', () => {
  it('refuses options that cannot be safe', () => {
    expect(() => oauth({ clientId: 'x' })).toThrow('either an `issuer` or `endpoints`')
    expect(() => oauth({ clientId: 'x', issuer: 'http://id.example' })).toThrow('https')
    expect(() =>
      oauth({ clientId: 'x', issuer: 'https://a.example', endpoints: { authorization: '', token: '' } }),
    ).toThrow()
  })

  it('takes endpoints for a server that publishes none, and scopes with commas', async () => {
    const idp = await littleIssuer()
    const endpoints = { authorization: `${idp.issuer}/login`, token: `${idp.issuer}/login/token` }
    const { alice, back, result, there } = await aliceWith({ endpoints })
    expect(there.pathname).toBe('/login')
    idp.reply = () => granted('hub-token', { scope: 'notes,photos' })
    expect(await alice.get(back)).toMatchObject({ title: 'Done' })
    expect(textOf(await result)).toBe('hub-token notes photos')
  })
})
