// People who are let in, and do what is not theirs to do.
import type { Family } from '../../../../test/attack-table.js'
import { attacked, must, shop, tokenOf, told } from './desk-under-attack.js'

const pay = { id: 'pay', message: 'Pay how much?', principal: 'alice', tool: 'pay' }
const schema = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }

interface Opened {
  readonly session: string
  readonly id: string
}

export const people: Family = {
  family: 'Others on the desk',
  attacks: [
    {
      attack:
        'Mallory lists, reads, answers, cancels, renames and disposes of a call that asks Alice, live and over REST',
      async run() {
        const desk = await attacked()
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', pay)).json()) as Opened
        const alice = await desk.connect(tokenOf('alice'))
        const channel = `ahp-session:/${session}`
        const before = JSON.stringify(await alice.subscribe(channel))
        const { activeTurn } = JSON.parse(before) as { activeTurn?: { id: string } }
        const mallory = await desk.connect(tokenOf('mallory'))
        const refused = [
          await mallory.failure('subscribe', { channel }),
          await mallory.failure('disposeSession', { channel }),
        ]
        must(
          refused.every(({ code }) => code === -32001),
          JSON.stringify(refused),
        )
        for (const action of [
          { type: 'turnCancelled', turnId: activeTurn?.id },
          { type: 'titleChanged', title: 'Mine' },
          { type: 'truncated' },
          { type: 'inputCompleted', requestId: id, response: 'accept' },
        ])
          mallory.dispatch(action, channel)
        await mallory.ping()
        const rest = await Promise.all([
          desk.send(tokenOf('mallory'), 'GET', `/api/asks/${session}/${id}`),
          desk.send(tokenOf('mallory'), 'POST', `/api/asks/${session}/${id}/answer`, {}),
          desk.send(tokenOf('mallory'), 'POST', `/api/asks/${session}/${id}/decline`, {}),
        ])
        must(
          rest.every(({ status }) => status === 404),
          rest.map(({ status }) => status).join(),
        )
        const seen = await Promise.all(
          ['/api/asks', '/api/sessions', '/api/audit'].map(async path =>
            (await desk.send(tokenOf('mallory'), 'GET', path)).text(),
          ),
        )
        must(!seen.join().includes('Pay how much'), 'Mallory sees it.')
        must(JSON.stringify(await alice.subscribe(channel)) === before, 'Something changed for Alice.')
        return 'it is not there for her (-32001, 404), and Alice sees no change'
      },
    },
    {
      attack: 'two have to approve: Alice approves 10, and Bob sends 1,000,000',
      async run() {
        const desk = await attacked()
        const asked = { ...pay, principal: 'carol', schema, quorum: 2, audience: { principals: ['alice', 'bob'] } }
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', asked)).json()) as Opened
        const answer = (who: string, amount: number) =>
          desk.send(tokenOf(who), 'POST', `/api/asks/${session}/${id}/answer`, { content: { amount } })
        await answer('alice', 10)
        await answer('bob', 1_000_000)
        await answer('bob', 1_000_000)
        const outcome = () => desk.send(shop, 'GET', `/api/asks/${session}/${id}/outcome?waitMs=0`)
        must((await outcome()).status === 202, 'It is over.')
        await answer('bob', 10)
        const { content } = (await (await outcome()).json()) as { content: { amount: number } }
        must(content.amount === 10, JSON.stringify(content))
        return 'nothing is decided; once Bob sends 10, it is 10'
      },
    },
    {
      attack: 'who called is one of the two, and one person accepts twice',
      async run() {
        const desk = await attacked()
        const asked = { ...pay, quorum: 2, audience: { principals: ['alice', 'bob', 'mallory'] } }
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', asked)).json()) as Opened
        const accept = (who: string) => desk.send(tokenOf(who), 'POST', `/api/asks/${session}/${id}/answer`, {})
        for (const who of ['alice', 'bob', 'alice', 'bob']) await accept(who)
        const outcome = await desk.send(shop, 'GET', `/api/asks/${session}/${id}/outcome?waitMs=0`)
        must(outcome.status === 202, 'It is over.')
        return 'neither counts: the ask waits for a second person'
      },
    },
    {
      attack: 'Mallory makes 300 sessions at once, by three sockets',
      async run() {
        const desk = await attacked({ limits: { maxSessions: 100 } })
        const sockets = await Promise.all([1, 2, 3].map(() => desk.connect(tokenOf('mallory'))))
        let made = 0
        let why = ''
        const make = (number: number) =>
          sockets[number % 3]?.request('createSession', { channel: `ahp-session:/s${number}`, provider: 'x' }).then(
            () => made++,
            error => {
              why = (error as { message: string }).message
            },
          )
        await Promise.all(Array.from({ length: 300 }, (_, number) => make(number)))
        must(made === 100, `${made} were made.`)
        return `with maxSessions: 100, ${made}; then: ${why}`
      },
    },
    {
      attack: 'Mallory drafts 250 KB into each field of an ask, and sends ids of 250 KB',
      async run() {
        const desk = await attacked({ limits: { maxDraftBytes: 100_000 } })
        const properties = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}`, { type: 'string' }]))
        const asked = { id: 'a', message: 'What?', schema: { type: 'object', properties } }
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', asked)).json()) as Opened
        const channel = `ahp-session:/${session}`
        const mallory = await desk.connect(tokenOf('mallory'))
        await mallory.subscribe(channel)
        const draft = (questionId: string, chars: number, requestId = id) => ({
          type: 'inputAnswerChanged',
          requestId,
          questionId,
          answer: { state: 'draft', value: { kind: 'text', value: 'x'.repeat(chars) } },
        })
        const reasons: (string | undefined)[] = []
        for (let at = 0; at < 8; at++) reasons.push(await mallory.reasonFor(draft(`f${at}`, 60_000), channel))
        reasons.push(await mallory.reasonFor(draft('f0', 250_000), channel))
        reasons.push(await mallory.reasonFor(draft('f0', 1, 'x'.repeat(250_000)), channel))
        const taken = reasons.filter(reason => reason === undefined).length
        must(taken === 1, `${taken} were taken.`)
        return `with maxDraftBytes: 100,000, the first 60,000 are taken; then: ${reasons.at(-1)}`
      },
    },
    {
      attack: 'Mallory opens more connections than one person may',
      async run() {
        const desk = await attacked({ limits: { maxConnections: 3 } })
        for (let number = 0; number < 3; number++) await desk.connect(tokenOf('mallory'))
        const fourth = await desk.connect(tokenOf('mallory')).then(
          () => undefined,
          error => error as { message: string },
        )
        must(fourth !== undefined, 'The fourth is served.')
        await desk.connect(tokenOf('alice'))
        return `with maxConnections: 3, the fourth is ${fourth?.message.replace('closed', 'closed with')}; Alice has her own`
      },
    },
    {
      attack: 'Mallory follows the link to an ask that is not for her',
      async run() {
        const desk = await attacked()
        const opened = (await (await desk.send(shop, 'POST', '/api/asks', pay)).json()) as Opened & { link: string }
        must(!/[?#]/.test(opened.link), `The link has more than a path: ${opened.link}`)
        const stranger = await fetch(opened.link, { headers: { accept: 'text/html' }, redirect: 'manual' })
        const got = await desk.send(tokenOf('mallory'), 'GET', `/api/asks/${opened.session}/${opened.id}`)
        must(stranger.status === 401 && got.status === 404, `${stranger.status} and ${got.status}`)
        return `the link is a path, with no key in it: 401 for who is not signed in; for her, ${await told(got)}`
      },
    },
  ],
}
