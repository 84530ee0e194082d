// The state that a client of 2026-07-28 hands back: forged, altered, swapped, stolen, used twice.
import { z } from 'zod'
import type { BeckonServer } from '../../src/index.js'
import { FakeClock } from '../fake-clock.js'
import type { Family } from './attack.js'
import { type OverHttp, overHttp, type Reply, told, toldAll } from './over-http.js'

interface Scene extends OverHttp {
  /** What Alice's client would send to say yes. */
  readonly yes: Record<string, unknown>
  readonly paid: string[]
  readonly clock: FakeClock
}

const accept = { action: 'accept', content: {} }

/** Alice's client was asked whether she pays; nobody may have paid after the attack but by her word. */
async function whileAliceDecides(attack: (scene: Scene) => Promise<string>): Promise<string> {
  const paid: string[] = []
  const clock = new FakeClock()
  const scene = await overHttp(server => addTools(server, paid), { clock })
  const yes = await askedFirst(scene)
  return attack({ ...scene, yes, paid, clock })
}

function addTools(server: BeckonServer, paid: string[]): void {
  const input = z.object({ amount: z.number() })
  for (const name of ['pay', 'refund'])
    server.tool(name, { input }, async ({ amount }, ctx) => {
      if (!(await ctx.confirm(`${name} ${amount}?`))) return 'nothing done'
      await ctx.step('pay', () => void paid.push(`${name} ${amount} by ${ctx.principal}`))
      return `done ${name} ${amount}`
    })
  server.prompt('pay', {}, async (_args, ctx) => String(await ctx.confirm('pay 5?')))
}

async function askedFirst({ modern }: OverHttp, more: object = {}): Promise<Record<string, unknown>> {
  const call = { name: 'pay', arguments: { amount: 5 }, ...more }
  const { requestState, inputRequests } = (await modern(call, { as: 'alice' })).message.result
  return { ...call, requestState, inputResponses: { [Object.keys(inputRequests)[0] ?? '']: accept } }
}

/** For an attack that must have no effect. */
function nothingPaid({ paid }: Scene, replies: readonly Reply[]): string {
  if (paid.length > 0) throw new Error(`It paid: ${paid.join()}`)
  return toldAll(replies)
}

export const states: Family = {
  family: 'A request state',
  attacks: [
    {
      attack: 'a state that nobody made: noise, an empty one, JSON, one of 100,000 characters',
      run: () =>
        whileAliceDecides(async scene => {
          const forged = ['', 'AAAA'.repeat(40), 'x', '{"call":"x"}', 'A'.repeat(100_000), '__proto__']
          const replies: Reply[] = []
          for (const requestState of forged) replies.push(await scene.modern({ ...scene.yes, requestState }, alice))
          return nothingPaid(scene, replies)
        }),
    },
    {
      attack: 'Alice’s state with one character changed, at 50 places, and cut short',
      run: () =>
        whileAliceDecides(async scene => {
          const state = String(scene.yes.requestState)
          const replies: Reply[] = []
          for (let nth = 0; nth < 50; nth++) {
            const at = Math.floor((nth * (state.length - 1)) / 49)
            const other = state[at] === 'A' ? 'B' : 'A'
            const requestState = `${state.slice(0, at)}${other}${state.slice(at + 1)}`
            replies.push(await scene.modern({ ...scene.yes, requestState }, alice))
          }
          for (const requestState of [state.slice(0, -1), state.slice(0, 40), `${state}A`, `${state}=`])
            replies.push(await scene.modern({ ...scene.yes, requestState }, alice))
          return nothingPaid(scene, replies)
        }),
    },
    {
      attack: 'Bob, and someone who is nobody, say yes with Alice’s state',
      run: () =>
        whileAliceDecides(async scene =>
          nothingPaid(scene, [await scene.modern(scene.yes, { as: 'bob' }), await scene.modern(scene.yes)]),
        ),
    },
    {
      attack: 'the yes to one tool is sent to another, and to a prompt of the same name',
      run: () =>
        whileAliceDecides(async scene => {
          const { arguments: _, ...prompt } = scene.yes
          return nothingPaid(scene, [
            await scene.modern({ ...scene.yes, name: 'refund' }, alice),
            await scene.modern(prompt, { ...alice, method: 'prompts/get' }),
          ])
        }),
    },
    {
      attack: 'the yes to 5 is sent with 5000',
      run: () =>
        whileAliceDecides(async scene =>
          nothingPaid(scene, [
            await scene.modern({ ...scene.yes, arguments: { amount: 5000 } }, alice),
            await scene.modern({ ...scene.yes, arguments: { amount: 5, more: 1 } }, alice),
          ]),
        ),
    },
    {
      attack: 'a yes that comes after the state has expired',
      run: () =>
        whileAliceDecides(async scene => {
          scene.clock.jump(2 * 60 * 60 * 1000)
          return nothingPaid(scene, [await scene.modern(scene.yes, alice)])
        }),
    },
    {
      attack: 'the yes is sent ten times, at once and again later',
      run: () =>
        whileAliceDecides(async ({ modern, yes, paid }) => {
          const atOnce = Array.from({ length: 10 }, () => modern(yes, alice))
          const replies = [...(await Promise.all(atOnce)), await modern(yes, alice)]
          return `each time ${toldAll(replies)}; paid ${paid.length} time`
        }),
    },
    {
      attack: 'after a no, the same state is sent with a yes',
      run: () =>
        whileAliceDecides(async scene => {
          const [id = ''] = Object.keys(scene.yes.inputResponses as object)
          await scene.modern({ ...scene.yes, inputResponses: { [id]: { action: 'decline' } } }, alice)
          return nothingPaid(scene, [await scene.modern(scene.yes, alice)])
        }),
    },
    {
      attack: 'answers that nobody asked for, on a first request',
      run: () =>
        whileAliceDecides(async scene => {
          const { requestState: _, ...first } = scene.yes
          const reply = await scene.modern(first, alice)
          return `${nothingPaid(scene, [reply])}: the person is asked`
        }),
    },
    {
      attack: '“__proto__” and “constructor” as arguments, as answers and within them',
      run: () =>
        whileAliceDecides(async ({ modern, yes, paid }) => {
          const evil = JSON.parse(
            '{"__proto__":{"amount":1,"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
          )
          const replies = [
            await modern({ ...yes, inputResponses: evil }, alice),
            await modern({ name: 'pay', arguments: evil }, alice),
          ]
          if ('isAdmin' in {} || paid.length > 0) throw new Error('It had an effect.')
          return `${replies.map(told).join('; ')}; no object has anything new`
        }),
    },
  ],
}

const alice = { as: 'alice' }
