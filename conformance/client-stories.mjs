// One confirm, one form and one URL for every published client on a server of ours, where it can show them; and where it cannot,
// that it is told so: a confirm is a no, and anything else is refused.
import assert from 'node:assert/strict'
import { askingOnStdio, startAsking, startProxy } from './asking.mjs'
import { personAt } from './inbox-person.mjs'

/** @typedef {import('./peers-table.mjs').Row} Row */
/** @typedef {import('./peers-table.mjs').Worked} Worked */
/** @typedef {'confirm' | 'form' | 'url'} Kind */
/** @typedef {{ name: string, from: string, era: { http: '2025' | '2026', stdio: '2025' | '2026' }, asks: Kind[], open: Function }} Client */

/** @type {{ kind: Kind, tool: string, accepted: string, refused: string | Record<'2025' | '2026', RegExp> }[]} */
const stories = [
  { kind: 'confirm', tool: 'erase', accepted: 'Erased.', refused: 'Kept.' },
  { kind: 'form', tool: 'book', accepted: 'Booked 2 for Ada.', refused: refusal('form') },
  { kind: 'url', tool: 'visit', accepted: 'accept', refused: refusal('url') },
]

/** @param {Kind} kind how a server says that the client cannot, in its era */
function refusal(kind) {
  return {
    2025: new RegExp(`cannot show a ${kind} to a person`),
    2026: new RegExp(`does not declare elicitation.${kind}`),
  }
}

/** @param {{ mode?: string, message: string }} asked */
function answer({ mode, message }) {
  if (mode === 'url') return { action: 'accept' }
  return { action: 'accept', content: message === 'Which table?' ? { name: 'Ada', seats: 2 } : {} }
}

/**
 * @param {{ isShort: boolean }} options the short form leaves out stdio, and the proxy
 * @returns {Promise<Row[]>}
 */
export async function runClients({ isShort }) {
  // Its types are not there where the peers are not installed.
  const peers = './peers/clients.mjs'
  /** @type {{ clients: Client[] }} */
  const { clients } = await import(peers)
  const http = await startAsking()
  /** @type {Row[]} */
  const rows = []
  try {
    for (const client of clients) {
      rows.push(await tryClient(client, 'http', { url: http.url }))
      if (!isShort) rows.push(await tryClient(client, 'stdio', await askingOnStdio()))
    }
  } finally {
    await http.stop()
  }
  if (!isShort) for (const client of clients) if (client.asks.length === 0) rows.push(await tryBehindProxy(client))
  return rows
}

/**
 * @param {Client} client
 * @param {'http' | 'stdio'} over
 * @param {object} target
 * @returns {Promise<Row>}
 */
async function tryClient({ name, from, era: eras, asks, open }, over, target) {
  const era = eras[over]
  return row({ peer: name, from, era, over }, async tell => {
    const opened = await open(target, answer)
    try {
      for (const { kind, tool, accepted, refused } of stories) {
        await tell(kind, asks.includes(kind) ? 'yes' : 'cannot', async () => {
          if (asks.includes(kind)) assert.equal(await opened.call(tool), accepted)
          else if (typeof refused === 'string') assert.equal(await opened.call(tool), refused)
          else await assert.rejects(opened.call(tool), refused[era])
        })
      }
    } finally {
      await opened.close()
    }
  })
}

/**
 * A client that shows nothing to anyone, with the proxy and its inbox in between.
 * @param {Client} client
 */
async function tryBehindProxy({ name, from, era, open }) {
  const { command, args } = await askingOnStdio()
  const proxy = await startProxy([command, ...args])
  const accept = personAt(proxy)
  try {
    return await row({ peer: name, from, era: era.http, over: 'http, behind `beckon proxy`' }, async tell => {
      const opened = await open({ url: proxy.url }, answer)
      const words = { confirm: 'Erase', form: 'Which table', url: 'have a look' }
      try {
        for (const { kind, tool, accepted } of stories) {
          await tell(kind, 'yes', async () => {
            const content = kind === 'form' ? { name: 'Ada', seats: 2 } : undefined
            const [text] = await Promise.all([opened.call(tool), accept(words[kind], content)])
            assert.equal(text, accepted)
          })
        }
      } finally {
        await opened.close()
      }
    })
  } finally {
    await proxy.stop()
  }
}

/**
 * Runs the stories of one row, and says how they went.
 * @param {Pick<Row, 'peer' | 'from' | 'era' | 'over'>} who
 * @param {(tell: (kind: Kind, worked: Worked, story: () => Promise<void>) => Promise<void>) => Promise<void>} run
 * @returns {Promise<Row>}
 */
export async function row(who, run) {
  /** @type {Record<Kind, Worked>} */
  const worked = { confirm: 'untried', form: 'untried', url: 'untried' }
  /** @type {string[]} */
  const problems = []
  let passed = 0
  let ran = 0
  try {
    await run(async (kind, how, story) => {
      ran++
      try {
        await story()
        worked[kind] = how
        passed++
      } catch (error) {
        worked[kind] = 'no'
        problems.push(`  ✗ ${kind}\n${error instanceof Error ? error.stack : error}`)
      }
    })
  } catch (error) {
    problems.push(`  ✗ It could not connect.\n${error instanceof Error ? error.stack : error}`)
  }
  const failed = Math.max(ran - passed, problems.length)
  const title = `interop, ${who.peer}, ${who.era} over ${who.over}`
  console.log([`${failed === 0 ? '✓' : '✗'} ${title}: ${passed} of ${passed + failed} stories`, ...problems].join('\n'))
  return { ...who, ...worked, passed, failed }
}
