// The official client with nothing but the server's URL: it finds out where to sign in, registers, signs its person in, and
// gets more scopes when a tool needs them.
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServer } from '../../src/index.js'
import { guard } from '../../src/middleware/guard/guard.js'
import { identityProvider } from './identity-provider.js'
import { Person } from './person.js'

const callback = 'http://127.0.0.1:1/callback'

/** What a host keeps of a sign-in, as the official client wants it. */
function keptByHost() {
  const kept: {
    information?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    discovery?: OAuthDiscoveryState
    verifier?: string
    leaveTo?: URL
  } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'a host', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
    state: () => 'a state',
    clientInformation: () => kept.information,
    saveClientInformation: information => {
      kept.information = information
    },
    tokens: () => kept.tokens,
    saveTokens: tokens => {
      kept.tokens = tokens
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: state => {
      kept.discovery = state
    },
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier: verifier => {
      kept.verifier = verifier
    },
    redirectToAuthorization: url => {
      kept.leaveTo = url
    },
  }
  return { provider, kept }
}

describe.each([
  { era: 'legacy', version: '2025-11-25' },
  { era: 'modern', version: '2026-07-28' },
] as const)('the official client, $era', ({ era, version }) => {
  it('signs in by itself, calls a tool, steps up and goes on', async () => {
    const idp = await identityProvider()
    const server = createServer({
      name: 'notes',
      version: '1.0.0',
      auth: { issuer: idp.issuer, scopes: ['notes:read'] },
    })
    onTestFinished(() => server.close())
    server.tool('who', {}, (_input, ctx) => `${ctx.principal}`)
    server.tool('erase', { use: [guard({ scopes: ['notes:delete'] })] }, async (_input, ctx) =>
      (await ctx.confirm('Erase all notes?')) ? `Erased for ${ctx.var.token.subject}.` : 'Kept.',
    )
    const { url } = await server.listen({ port: 0 })

    const alice = new Person('alice')
    const { provider, kept } = keptByHost()
    let asked = 0
    const connect = async () => {
      const client = new Client(
        { name: 'official', version: '1' },
        {
          capabilities: { elicitation: { form: {} } },
          versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: version } },
        },
      )
      client.setRequestHandler('elicitation/create', () => {
        asked++
        return { action: 'accept', content: {} }
      })
      const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
      const finish = async () => {
        const back = await alice.open(kept.leaveTo ?? '', callback)
        await transport.finishAuth(back.searchParams)
      }
      return { client, transport, finish }
    }

    // Nothing is known but the address.
    const first = await connect()
    const begin = first.client.connect(first.transport).then(() => first.client.listTools())
    await expect(begin).rejects.toThrow(UnauthorizedError)
    expect(kept.leaveTo?.origin).toBe(idp.issuer)
    expect(kept.leaveTo?.searchParams.get('resource')).toBe(url)
    expect(kept.leaveTo?.searchParams.get('scope')).toBe('notes:read')
    await first.finish()

    const { client, transport, finish } = await connect()
    await client.connect(transport)
    onTestFinished(() => client.close())
    const text = async (name: string) => {
      const { content } = await client.callTool({ name })
      return content[0]?.type === 'text' && content[0].text
    }
    expect(await text('who')).toBe(`${idp.issuer}#alice`)

    // The tool is not entered, and nobody is asked, before its caller may use it.
    await expect(text('erase')).rejects.toThrow(UnauthorizedError)
    expect(asked).toBe(0)
    expect(kept.leaveTo?.searchParams.get('scope')?.split(' ').sort()).toEqual(['notes:delete', 'notes:read'])
    await finish()
    expect(await text('erase')).toBe('Erased for alice.')
    expect(asked).toBe(1)
    expect(await text('who')).toBe(`${idp.issuer}#alice`)
  })
})
