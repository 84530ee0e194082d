// docs/limits.md, of `limits.pages`, "sessions that are told that a page they were sent to is done": "Strangers, who have no principal, have
// each of these bounds to themselves and push out nobody who is known."
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { createServer } from '../index.js'

it.each([0, 3])(
  'tells someone known that their page is done, though %i strangers were sent to pages since',
  async strangers => {
    const server = createServer({
      name: 's',
      version: '1',
      limits: { pages: 2 },
      identify: request => request.headers.get('x-user') ?? undefined,
    })
    server.tool('pay', { urlError: true }, async (input, ctx) => {
      const id = String(Object(input).id)
      await ctx.elicit.url('Pay?', 'https://pay.example/', { waitForCompletion: true, elicitationId: id })
      return 'paid'
    })
    const { url } = await server.listen({ port: 0 })
    onTestFinished(() => server.close())
    const completed: string[] = []
    const connect = async (user?: string) => {
      const client = new Client(
        { name: 'official', version: '1' },
        { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: 'legacy' } },
      )
      client.setNotificationHandler(
        'notifications/elicitation/complete',
        ({ params }) => void completed.push(params.elicitationId),
      )
      const requestInit = { headers: user === undefined ? {} : { 'x-user': user } }
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
      onTestFinished(() => client.close())
      return client
    }
    const pay = async (client: Client, id: string) => {
      const error = await client.callTool({ name: 'pay', arguments: { id } }).catch(error => error)
      expect(error.code).toBe(-32042)
    }
    await pay(await connect('alice'), 'alices')
    const stranger = await connect()
    for (let nth = 0; nth < strangers; nth++) await pay(stranger, `stranger-${nth}`)
    await server.completeElicitation('alices')
    await expect.poll(() => completed, { timeout: 2_000 }).toEqual(['alices'])
  },
)
