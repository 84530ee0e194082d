// People of one desk who hand asks to each other, stand in for each other, and write about them.
import type { Family } from '../../../../test/attack-table.js'
import { type Attacked, attacked, bank, must, shop, tokenOf, told } from './desk-under-attack.js'

interface Opened {
  readonly session: string
  readonly id: string
}

/** An ask of a call that Mallory made, and where it is. */
async function opened(desk: Attacked, policy: object): Promise<string> {
  const wanted = { id: 'pay', message: 'Pay?', principal: 'mallory', tool: 'pay', ...policy }
  const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', wanted)).json()) as Opened
  return `/api/asks/${session}/${id}`
}

/** Everyone was here once, so that the desk knows them. */
async function known(): Promise<Attacked> {
  const desk = await attacked()
  for (const token of desk.people.keys()) await desk.send(token, 'GET', '/api/me')
  return desk
}

const away = (to: string) => ({ until: Date.now() + 60_000, to })

export const team: Family = {
  family: 'A team on the desk',
  attacks: [
    {
      attack: 'Mallory comments on an ask of Alice, hands it to herself, and reads what came of it',
      async run() {
        const desk = await known()
        const ask = await opened(desk, { audience: { principals: ['alice'] } })
        const commented = await desk.send(tokenOf('mallory'), 'POST', `${ask}/comments`, { text: 'Just do it.' })
        const taken = await desk.send(tokenOf('mallory'), 'POST', `${ask}/delegate`, { to: 'mallory' })
        await desk.send(tokenOf('alice'), 'POST', `${ask}/answer`, {})
        await desk.send(shop, 'PUT', `${ask}/report`, { status: 'done', text: 'Paid 40 to Bob.' })
        const read = await desk.send(tokenOf('mallory'), 'GET', ask)
        const seen = (await (await desk.send(tokenOf('alice'), 'GET', ask)).json()) as {
          comments?: []
          report?: object
        }
        must(seen.comments === undefined && seen.report !== undefined, JSON.stringify(seen))
        must(
          [commented, taken, read].every(({ status }) => status === 404),
          `${commented.status} ${taken.status} ${read.status}`,
        )
        return `${await told(commented)} The same for each`
      },
    },
    {
      attack: 'another server says what came of a call that is not its own, and a person does',
      async run() {
        const desk = await known()
        const ask = await opened(desk, { audience: { principals: ['alice'] } })
        const report = { status: 'done', text: 'All is well.' }
        const statuses = [
          (await desk.send(bank, 'PUT', `${ask}/report`, report)).status,
          (await desk.send(tokenOf('alice'), 'PUT', `${ask}/report`, report)).status,
        ]
        const { report: said } = (await (await desk.send(tokenOf('alice'), 'GET', ask)).json()) as { report?: object }
        must(said === undefined && statuses.every(status => status >= 400), `${statuses}`)
        return statuses.join(' and ')
      },
    },
    {
      attack: 'an approver hands an ask to whoever called, with a quorum and without one',
      async run() {
        const desk = await known()
        const asks = [
          await opened(desk, { audience: { principals: ['alice', 'bob'] } }),
          await opened(desk, { id: 'two', audience: { principals: ['alice', 'bob'] }, quorum: 1 }),
        ]
        const words: string[] = []
        for (const ask of asks) {
          const response = await desk.send(tokenOf('alice'), 'POST', `${ask}/delegate`, { to: 'mallory' })
          must(response.status === 403, `${response.status}`)
          words.push(await told(response))
          const accepted = await desk.send(tokenOf('mallory'), 'POST', `${ask}/answer`, {})
          must(accepted.status === 404, `${accepted.status}`)
        }
        return words[0] ?? ''
      },
    },
    {
      attack: 'an approver who is away names whoever called, or a second voice for themselves',
      async run() {
        const desk = await known()
        await desk.send(tokenOf('alice'), 'PUT', '/api/me/away', away('mallory'))
        const own = await opened(desk, { audience: { principals: ['alice'] } })
        const { status } = await desk.send(tokenOf('mallory'), 'POST', `${own}/answer`, {})
        must(status === 404, `Whoever called accepted it: ${status}`)
        desk.people.set(tokenOf('carol'), { principal: 'carol' })
        await desk.send(tokenOf('carol'), 'GET', '/api/me')
        await desk.send(tokenOf('alice'), 'PUT', '/api/me/away', away('carol'))
        const two = await opened(desk, { id: 'two', audience: { principals: ['alice', 'bob'] }, quorum: 2 })
        const answers = []
        for (const name of ['alice', 'carol'])
          answers.push((await desk.send(tokenOf(name), 'POST', `${two}/answer`, {})).status)
        must(
          answers.every(answer => answer === 202),
          `Two voices of one: ${answers}`,
        )
        return 'whoever called sees nothing of it; both together count once, and Bob has to accept'
      },
    },
    {
      attack: 'two hand an ask to and fro, and two stand in for each other, for ever',
      async run() {
        const desk = await known()
        const ask = await opened(desk, { audience: { principals: ['alice'] } })
        await desk.send(tokenOf('alice'), 'POST', `${ask}/delegate`, { to: 'bob' })
        const back = await desk.send(tokenOf('bob'), 'POST', `${ask}/delegate`, { to: 'alice' })
        must(back.status === 403, `${back.status}`)
        await desk.send(tokenOf('alice'), 'PUT', '/api/me/away', away('bob'))
        await desk.send(tokenOf('bob'), 'PUT', '/api/me/away', away('alice'))
        const other = await opened(desk, { id: 'two', audience: { principals: ['alice'] } })
        const { to } = (await (await desk.send(tokenOf('bob'), 'GET', other)).json()) as { to?: { standIns?: object } }
        must(JSON.stringify(to?.standIns) === '{"bob":"alice"}', JSON.stringify(to))
        return `${await told(back)} A chain of absences ends where it began`
      },
    },
  ],
}
