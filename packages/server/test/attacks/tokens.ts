import { type JWTPayload, SignJWT } from 'jose'
import { jwt } from '../../src/middleware/jwt/jwt.js'
import type { Family } from './attack.js'
import { overHttp, type Reply, toldAll } from './over-http.js'

const secret = new TextEncoder().encode('0123456789abcdef0123456789abcdef')
const [issuer, audience] = ['https://id.example', 'https://mcp.example']

export const tokens: Family = {
  family: '`jwt`',
  attacks: [
    {
      attack: 'a token of the issuer whose `sub` is empty, blank, an object, a list, a number, or not there',
      async run() {
        const { modern } = await overHttp(server => {
          server.tool('t', jwt({ secret, issuer, audience }), {}, () => 'passed')
        })
        const replies: Reply[] = []
        for (const sub of ['', ' ', { id: 'alice' }, ['alice'], 7, null, undefined]) {
          const token = await new SignJWT({ sub, iss: issuer, aud: audience } as JWTPayload)
            .setProtectedHeader({ alg: 'HS256' })
            .setExpirationTime('1h')
            .sign(secret)
          replies.push(await modern({ name: 't' }, { headers: { authorization: `Bearer ${token}` } }))
        }
        const got = toldAll(replies)
        if (got.includes('passed')) throw new Error('It passed.')
        return got
      },
    },
  ],
}
