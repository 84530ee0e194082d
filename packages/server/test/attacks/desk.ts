// What strangers can do to a call whose question is on the desk, where the server cannot tell them apart.
import { deskDouble } from '../desk-double.js'
import type { Family } from './attack.js'
import { type OverHttp, overHttp, type Reply, told } from './over-http.js'

const yes = { action: 'accept', content: {} } as const
/** What a proxy on this machine says of someone elsewhere. */
const elsewhere = { 'x-forwarded-for': '203.0.113.7' }

interface Scene extends OverHttp {
  readonly handle: string
  call(args?: object, headers?: Record<string, string>): Promise<Reply>
}

/** Someone asked for the salaries, and was told to come back; a person has said yes since. */
async function afterThePersonAgreed(attack: (scene: Scene) => Promise<string>): Promise<string> {
  const desk = deskDouble()
  const scene = await overHttp(
    server => {
      server.tool('salaries', {}, async (_input, ctx) => ((await ctx.confirm('Show them?')) ? 'the salaries' : 'no'))
    },
    { desk, wait: 1, identify: undefined },
  )
  const call: Scene['call'] = (args = {}, headers = elsewhere) =>
    scene.modern({ name: 'salaries', arguments: args }, { capabilities: {}, headers })
  const [, handle = ''] = /"handle":"([\w-]+)"/.exec(told(await call())) ?? []
  desk.answer('Show them?', yes)
  const got = await attack({ ...scene, call, handle })
  const theirs = told(await call({ beckon: { handle } }))
  if (theirs !== '200, the salaries') throw new Error(`Who asked did not get the result: ${theirs}`)
  return got
}

/** The attacker's own call begins, and gives nothing away. */
function asksAnew(replies: readonly Reply[]): string {
  if (replies.some(reply => !told(reply).includes('A person was asked'))) throw new Error('It got a result.')
  return 'a call of their own, for which a person is asked'
}

export const deskCalls: Family = {
  family: 'A call on the desk',
  attacks: [
    {
      attack: 'a stranger calls the same tool with the same arguments',
      run: () => afterThePersonAgreed(async ({ call }) => asksAnew([await call(), await call()])),
    },
    {
      attack: 'with a handle that is made up, cut short, or not text',
      run: () =>
        afterThePersonAgreed(async ({ call, handle }) => {
          const replies: Reply[] = []
          for (const wrong of ['A'.repeat(24), handle.slice(0, -1), `${handle}A`, '', 5, { $gt: '' }, [handle]])
            replies.push(await call({ beckon: { handle: wrong } }))
          return asksAnew(replies)
        }),
    },
    {
      attack: 'from this machine, and with a token or a cookie that nobody checks',
      run: () =>
        afterThePersonAgreed(async ({ call }) =>
          asksAnew([
            await call({}, {}),
            await call({}, { ...elsewhere, authorization: 'Bearer x' }),
            await call({}, { ...elsewhere, cookie: 'lang=en' }),
          ]),
        ),
    },
    {
      attack: 'claiming to be on this machine, through a proxy',
      run: () =>
        afterThePersonAgreed(async ({ call }) =>
          asksAnew([
            await call({}, { ...elsewhere, host: 'localhost' }),
            await call({}, { forwarded: 'for=127.0.0.1', host: '127.0.0.1' }),
            await call({}, { 'x-real-ip': '127.0.0.1' }),
          ]),
        ),
    },
  ],
}
