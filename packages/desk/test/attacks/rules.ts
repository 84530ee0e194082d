// Standing rules that are made to decide what is not theirs to decide.
import { createTestClock } from 'beckon/test'
import type { Family } from '../../../../test/attack-table.js'
import { type Attacked, attacked, must, shop, tokenOf, told } from './desk-under-attack.js'

interface Opened {
  readonly session: string
  readonly id: string
}

const pay = { message: 'Pay?', tool: 'pay', principal: 'alice' }
const always = { effect: 'allow', match: { tool: 'pay' } }

/** What became of an ask: `open`, or how it ended. */
async function asked(desk: Attacked, id: string, more: object = {}): Promise<string> {
  const ask = { id, ...pay, ...more }
  const opened = (await (await desk.send(shop, 'POST', '/api/asks', ask)).json()) as Opened
  const response = await desk.send(shop, 'GET', `/api/asks/${opened.session}/${opened.id}/outcome?waitMs=0`)
  return response.status === 202 ? 'open' : ((await response.json()) as { action: string }).action
}

export const rules: Family = {
  family: 'Rules',
  attacks: [
    {
      attack:
        'Mallory makes a rule that accepts what Alice is asked: as her own, in Alice’s name, and for the whole desk',
      async run() {
        const desk = await attacked()
        const mallory = (body: object) => desk.send(tokenOf('mallory'), 'POST', '/api/rules', body)
        const named = await mallory({ ...always, owner: 'alice' })
        must(named.status === 422, `In Alice's name: ${named.status}`)
        must((await mallory({ ...always, own: false })).status === 201, 'It is not even her own.')
        const audience = { principals: ['alice', 'bob'] }
        const outcomes = [await asked(desk, 'a'), await asked(desk, 'b', { audience, quorum: 1 })]
        must(
          outcomes.every(outcome => outcome === 'open'),
          outcomes.join(),
        )
        const own = await desk.send(tokenOf('alice'), 'POST', '/api/rules', always)
        const { id } = (await own.json()) as { id: string }
        const removed = await desk.send(tokenOf('mallory'), 'DELETE', `/api/rules/${id}`)
        must(removed.status === 404 && (await asked(desk, 'c')) === 'accept', `Alice's own: ${removed.status}`)
        return 'hers counts only where she is asked, whatever it says; a name is refused (422); Alice’s is not there for her (404)'
      },
    },
    {
      attack: 'Mallory’s own rule, as specific as can be, against an admin’s that denies or asks',
      async run() {
        const desk = await attacked({
          rules: [
            { id: 'no', effect: 'deny', match: { arguments: { to: 'mallory' } } },
            { id: 'ask', effect: 'ask', match: { arguments: { to: 'bob' } } },
          ],
        })
        const outcomes: string[] = []
        for (const to of ['mallory', 'bob']) {
          const match = { server: 'shop', tool: 'pay', principal: 'mallory', exactArguments: { to } }
          await desk.send(tokenOf('mallory'), 'POST', '/api/rules', { effect: 'allow', match })
          outcomes.push(await asked(desk, to, { principal: 'mallory', arguments: { to } }))
        }
        must(outcomes.join() === 'decline,open', outcomes.join())
        return 'what the admin denies is declined, and what the admin wants asked is asked'
      },
    },
    {
      attack:
        'an “allow” for a tool that can destroy something, which does not say so, before and after such a call was seen',
      async run() {
        const desk = await attacked()
        const before = await desk.send(tokenOf('alice'), 'POST', '/api/rules', always)
        const outcome = await asked(desk, 'a', { destructive: true })
        must(before.status === 201 && outcome === 'open', `${before.status} and ${outcome}`)
        const after = await desk.send(tokenOf('alice'), 'POST', '/api/rules', { ...always, from: 1 })
        must(after.status === 422, `${after.status}`)
        return `it is not about that call, which stays open; the next is refused: ${await told(after)}`
      },
    },
    {
      attack:
        'patterns and arguments that are made to be slow: 50 patterns in each of 100 rules, and 200 KB for each to look at',
      async run() {
        const desk = await attacked()
        const like = { like: `*${'a'.repeat(98)}b${'a'.repeat(98)}*` }
        const names = Array.from({ length: 50 }, (_, at) => `/t~1${at}`)
        const match = { tool: 'pay', arguments: Object.fromEntries(names.map(name => [name, like])) }
        for (let at = 0; at < 100; at++)
          await desk.send(tokenOf('alice'), 'POST', '/api/rules', { effect: 'deny', match })
        const tooMany = await desk.send(tokenOf('alice'), 'POST', '/api/rules', { effect: 'deny', match })
        must(tooMany.status === 429, `${tooMany.status}`)
        const longer = await desk.send(tokenOf('bob'), 'POST', '/api/rules', {
          effect: 'deny',
          match: { tool: 'a*'.repeat(101) },
        })
        must(longer.status === 422, `${longer.status}`)
        const began = process.cpuUsage().user
        const outcome = await asked(desk, 'a', { arguments: { 't/0': 'a'.repeat(200_000) } })
        const took = process.cpuUsage().user - began
        must(outcome === 'open' && took < 5_000_000, `${outcome}, ${took} µs`)
        return 'the ask is open well within 5 seconds of processor time; the 101st rule is refused (429), and a longer pattern (422)'
      },
    },
    {
      attack: 'Alice sees an ask for her group, leaves the group, and accepts over the socket that is still open',
      async run() {
        const group = new Set(['alice'])
        // The proof of who is on a socket is looked at every second: this is before the next time.
        const clock = createTestClock()
        const desk = await attacked({ clock, directory: who => (group.has(who) ? ['approvers'] : []) })
        const ask = { id: 'g', ...pay, principal: 'bob', audience: { groups: ['approvers'] }, quorum: 1 }
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', ask)).json()) as Opened
        const alice = await desk.connect(tokenOf('alice'))
        const channel = `ahp-session:/${session}`
        await alice.subscribe(channel)
        group.delete('alice')
        const reason = await alice.reasonFor({ type: 'inputCompleted', requestId: id, response: 'accept' }, channel)
        must(reason !== undefined, 'It was taken.')
        return `refused: ${reason}`
      },
    },
  ],
}
