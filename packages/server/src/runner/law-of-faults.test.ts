// The law: whatever is lost, comes twice or is broken off on the way, a call in rounds comes to its end, the same answers get one
// reply, no recorded step runs again, and each effect is in what the call ends with. Handlers, what is answered, and what goes wrong
// are drawn from a seed.
import { expect, it } from 'vitest'
import { draw, play, rng, type Terms } from '../../test/drawn-handlers.js'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, open, type Reply, type Request } from '../../test/round-node.js'
import type { CallEvent } from '../log/events.js'
import { memoryStore, type Store, StoreUnavailableError } from '../store/index.js'

type Fault = 'lost acknowledgements' | 'failed reads' | 'lost hints' | 'requests sent twice' | 'clients that cancel'

const all: readonly Fault[] = [
  'lost acknowledgements',
  'failed reads',
  'lost hints',
  'requests sent twice',
  'clients that cancel',
]
const terms: Terms = { together: true, stepsFirst: true, hops: false, turns: true, race: false }
const maxTries = 60
/** What a client hears that may send the same again. */
const passing = /does not answer|cancelled|Another process|Too many processes/

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nextTurn()
}

/** Runs one call on two processes; gives what broke the law. */
async function runWith(faults: readonly Fault[], seed: number): Promise<string[]> {
  const ops = [...draw(rng(seed), terms, 0, true), ...draw(rng(seed + 1_000_000), terms, 0, true)]
  const chance = rng(seed * 7 + 1)
  const isNow = (fault: Fault, oneIn: number) => faults.includes(fault) && chance(oneIn) === 0
  const problems: string[] = []
  const recorded = new Set<string>()
  const effects: string[] = []
  const log = {
    effects,
    cutAfter: Number.POSITIVE_INFINITY,
    onEffect(place: string) {
      if (recorded.has(place)) problems.push(`${place} ran again, though it was recorded`)
    },
  }
  const shared = memoryStore({ clock: { now: () => 0 } })
  const faulty: Store = {
    ...shared,
    shared: true,
    async append(name, entries, options) {
      await turns(chance(4))
      const at = await shared.append(name, entries, options)
      if (at !== undefined) for (const place of stepsIn(entries)) recorded.add(place)
      await turns(chance(4))
      if (isNow('lost acknowledgements', 8)) throw new StoreUnavailableError('The store', undefined)
      return at
    },
    async read(...wanted) {
      await turns(chance(4))
      if (isNow('failed reads', 10)) throw new StoreUnavailableError('The store', undefined)
      return shared.read(...wanted)
    },
    async publish(...said) {
      if (!isNow('lost hints', 4)) await shared.publish(...said)
    },
    async close() {},
  }
  const nodes = [0, 1].map(() =>
    createNode(call => play(call, ops, '', log), {
      store: faulty,
      clock: new FakeClock(),
      leaseMs: 3_000,
      limits: { asks: 500 },
    }),
  )
  const anyNode = () => nodes[chance(nodes.length)] ?? never()
  let isOver = false
  const ticking = (async () => {
    for (; !isOver; await nextTurn()) for (const { clock } of nodes) clock.advance(100)
  })()

  async function sendOnce(request: Request): Promise<Reply | undefined> {
    const client = new AbortController()
    if (isNow('clients that cancel', 6)) void turns(chance(30)).then(() => client.abort())
    try {
      const reply = await anyNode().send({ ...request, signal: client.signal })
      return reply.kind === 'failed' && passing.test(String(reply.error)) ? undefined : reply
    } catch (error) {
      if (!passing.test(String(error))) problems.push(`refused: ${error}`)
      return undefined
    }
  }

  async function send(request: Request): Promise<Reply | undefined> {
    for (let tries = 0; tries < maxTries; tries++) {
      const requests = isNow('requests sent twice', 3) ? [request, request] : [request]
      const replies = (await Promise.all(requests.map(sendOnce))).filter(reply => reply !== undefined)
      const told = replies.map(reply => JSON.stringify(reply.kind === 'asks' ? reply.state : reply))
      if (request.state !== undefined && new Set(told).size > 1) problems.push('the same answers got two replies')
      if (replies[0] !== undefined) return replies[0]
      await turns(5)
    }
    return undefined
  }

  let reply = await nodes[0]?.send()
  // Of a call that could not begin its client has nothing to go on with.
  const hasBegun = reply?.kind !== 'failed'
  while (reply?.kind === 'asks') {
    await turns(chance(6))
    const { state, ids } = open(reply)
    const chosen = ids.filter(() => chance(2) === 0)
    if (chosen.length === 0) chosen.push(ids[0] ?? '')
    reply = await send({ state, answers: Object.fromEntries(chosen.map(id => [id, 'yes'])) })
  }
  isOver = true
  await ticking
  if (!hasBegun) return problems
  if (reply?.kind !== 'finished') return [...problems, `ended with ${JSON.stringify(reply)}`]
  const said = String(reply.result)
  for (const place of new Set(effects))
    if (!said.includes(`[${place}]`) && !said.includes(`!${place}`)) problems.push(`${place} is not in ${said}`)
  return problems
}

/** The places of the steps that an append records. */
function stepsIn(entries: readonly unknown[]): string[] {
  const events = entries.flatMap(entry => (entry as { e?: CallEvent[] }).e ?? [])
  return events.flatMap(event => (event.kind === 'step' && event.entry.kind === 'step' ? [placeOf(event.entry)] : []))
}

function placeOf({ result, thrown }: Extract<CallEvent, { kind: 'step' }>['entry']): string {
  return thrown === undefined ? String(result).slice(1, -1) : 'message' in thrown ? thrown.message : ''
}

function never(): never {
  throw new Error('never')
}

const seeds = Number(process.env.SEEDS ?? 25)
const from = Number(process.env.SEED ?? 1)

it.each([...all.map(fault => [fault]), all].map(faults => [faults.join(', '), faults] as const))(
  'holds with %s',
  { timeout: 120_000 },
  async (_name, faults) => {
    const broken: string[] = []
    for (let seed = from; seed < from + seeds; seed++) {
      const problems = await runWith(faults, seed)
      if (problems.length > 0) broken.push(`seed ${seed}: ${problems.slice(0, 3).join('; ')}`)
    }
    expect(broken).toEqual([])
  },
)
