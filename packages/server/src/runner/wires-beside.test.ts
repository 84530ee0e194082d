// Calls whose asks are on several wires, on several processes with one store: what the fault runs found.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import type { Context } from '../author/context.js'
import type { CallEvent } from '../log/events.js'
import { tasksExtension } from '../protocol/capabilities.js'
import { createServer } from '../server/create-server.js'
import { StoreUnavailableError } from '../store/index.js'
import { memoryStore } from '../store/memory-store.js'
import { sealedStore } from '../store/sealed-store.js'
import { createTestClient, createTestClock, type TestClock } from '../test/index.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'

type Params = Record<string, unknown>
type Handler = (ctx: Context) => Promise<string>

const keys = 'a key for these tests only'
const forms = { elicitation: { form: {} } }
const formsAndTasks = { ...forms, extensions: { [tasksExtension]: {} } }
const accepted = { action: 'accept', content: {} } as const
const call = { name: 'sale', arguments: {} }
const opens = async (ctx: Context) => (await ctx.elicit.url('Pay', 'https://pay.example/')).action

let closing: (() => Promise<void>)[]
let shared: ReturnType<typeof memoryStore>
let desk: ReturnType<typeof deskDouble>
let clock: TestClock
let log: string

beforeEach(() => {
  closing = []
  clock = createTestClock()
  shared = memoryStore({ clock })
  desk = deskDouble()
})

afterEach(async () => {
  for (const close of closing) await close()
})

function createNode(handler: Handler, capabilities: { readonly [name: string]: object } = forms) {
  const store: MortalStore = mortalStore(shared)
  const { append } = store
  store.append = (name, ...rest) => {
    if (name.startsWith('shop/call/')) log = name
    return append(name, ...rest)
  }
  const limits = { leaseMs: 300 }
  const server = createServer({ name: 'shop', version: '1', store, keys, desk, wait: 50, limits, clock })
  server.tool('sale', {}, (_, ctx) => handler(ctx))
  const client = createTestClient(server, { wire: 'rounds', principal: 'ana', replay: 'when-needed', capabilities })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const request = (method: string, params: Params) => onClock(client.request(method, params) as Promise<Params>)
  return { store, request }
}

/** A process that dies: nothing of it is closed, since nothing of it arrives. */
function kill({ store }: Pick<ReturnType<typeof createNode>, 'store'>): void {
  closing = closing.slice(2)
  store.die()
}

const idsOf = ({ inputRequests = {} }: Params) => Object.keys(inputRequests as object)
const answersTo = (asked: Params) => Object.fromEntries(idsOf(asked).map(id => [id, { action: 'accept', content: {} }]))
const answered = (asked: Params) => ({ ...call, requestState: asked.requestState, inputResponses: answersTo(asked) })
const textOf = ({ content }: Params) => (content as { text: string }[])[0]?.text

/** Lets time pass, and everything happen that is due. */
async function pass(ms: number): Promise<void> {
  await clock.advance(ms)
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
}

const lookMs = 10
/** Nothing here takes longer than a minute. */
const maxLooks = 60_000 / lookMs

/** Does something until it gives what is wanted. */
async function until<T>(attempt: () => Promise<T> | T, isWanted: (value: T) => boolean): Promise<T> {
  for (let looks = 0; looks < maxLooks; looks++) {
    const value = await attempt()
    if (isWanted(value)) return value
    await pass(lookMs)
  }
  throw new Error('It never came.')
}

/** Time passes while something is waited for. */
async function onClock<T>(waiting: Promise<T>): Promise<T> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  waiting.then(done, done)
  await until(
    () => isDone,
    is => is,
  )
  return waiting
}

const events = () => eventsOf(log)

async function eventsOf(name: string): Promise<CallEvent[]> {
  const lines = await sealedStore({ ...shared, shared: true }, keys).read(name)
  return lines.flatMap(({ value }) => (value as unknown as { e: CallEvent[] }).e)
}

describe('a call with a desk', () => {
  it('answers a round of its own that was taken over, and whose state another process made', async () => {
    const handler: Handler = async ctx => `${(await Promise.all([ctx.confirm('Sure?'), opens(ctx)])).join()}`
    const a = createNode(handler)
    const first = await a.request('tools/call', call)
    await until(
      () => desk.messages(),
      open => open.includes('Pay'),
    )
    await until(events, all => all.some(event => event.kind === 'asked' && event.ask.wire === 'desk'))
    kill(a)
    const b = createNode(handler)
    // Whoever asks for the same has it taken over.
    await until(events, all => {
      void b.request('tools/call', call).catch(() => {})
      return all.some(({ kind }) => kind === 'claimed')
    })
    const reply = await b.request('tools/call', answered(first))
    expect(textOf(reply)).toContain('"Pay"')
    desk.answer('Pay', accepted)
    expect(
      textOf(
        await until(
          () => b.request('tools/call', call),
          now => textOf(now) === 'true,accept',
        ),
      ),
    ).toBe('true,accept')
  })

  it('goes on with rounds after those that were answered before it was taken over', async () => {
    const handler: Handler = async ctx =>
      [await ctx.confirm('Sure?'), await opens(ctx), await ctx.confirm('Really?')].join()
    const a = createNode(handler)
    const first = await a.request('tools/call', call)
    const held = a.request('tools/call', answered(first))
    await until(
      () => desk.messages(),
      open => open.includes('Pay'),
    )
    desk.answer('Pay', accepted)
    expect(idsOf(await held)).toHaveLength(1)
    kill(a)
    const b = createNode(handler)
    // Its client never got that reply, and sends the same again; then it asks for the call.
    const again = await until(
      () =>
        b
          .request('tools/call', answered(first))
          .then(now => (idsOf(now).length > 0 ? now : b.request('tools/call', call))),
      now => idsOf(now).length > 0,
    )
    expect(textOf(await b.request('tools/call', answered(again)))).toBe('true,accept,true')
  })

  it.each([0, 1, 2])(
    'is found again on node %i of three, when its round was answered on another than it began on',
    async where => {
      const handler: Handler = async ctx => [await ctx.confirm('Sure?'), await opens(ctx)].join()
      const nodes = [createNode(handler), createNode(handler), createNode(handler)] as const
      const first = await nodes[0].request('tools/call', call)
      expect(textOf(await nodes[1].request('tools/call', answered(first)))).toContain('"Pay"')
      const again = await nodes[where as 0].request('tools/call', call)
      expect([idsOf(again), textOf(again)]).toEqual([[], expect.stringContaining('"Pay"')])
      desk.answer('Pay', accepted)
      await until(
        () => nodes[where as 0].request('tools/call', call),
        now => textOf(now) === 'true,accept',
      )
    },
  )

  it('replies to a round whose run was gone before it could', async () => {
    const handler: Handler = async ctx => [await ctx.confirm('Sure?'), await opens(ctx)].join()
    const a = createNode(handler)
    const first = await a.request('tools/call', call)
    const { append } = a.store
    const died = new Promise<void>(resolve => {
      a.store.append = async (...line) => {
        await append(...line)
        // It has the answers and the desk, and gets no further.
        if (!(await events()).some(({ kind }) => kind === 'asked')) return (await shared.read(line[0])).length
        kill(a)
        resolve()
        return new Promise(() => {})
      }
    })
    void a.request('tools/call', answered(first)).catch(() => {})
    await died
    expect((await events()).map(({ kind }) => kind)).not.toContain('replied')
    const b = createNode(handler)
    expect(textOf(await b.request('tools/call', answered(first)))).toContain('"Pay"')
  })

  it('asks nobody, and gives no state, before others can find it', async () => {
    const a = createNode(async ctx => (await Promise.all([ctx.confirm('Sure?'), opens(ctx)])).join())
    const { append } = a.store
    let store = () => {}
    let isHeld = false
    const stored = new Promise<void>(resolve => {
      store = resolve
    })
    a.store.append = async (log, entries, options) => {
      isHeld = options?.puts?.some(({ set }) => set.startsWith('shop/calls of')) ?? false
      if (isHeld) await stored
      return append(log, entries, options)
    }
    let first: Params | undefined
    const asking = a.request('tools/call', call).then(reply => {
      first = reply
    })
    await until(
      () => isHeld,
      held => held,
    )
    await pass(20)
    expect([desk.messages(), first]).toEqual([[], undefined])
    store()
    await asking
    expect(idsOf(first ?? {})).toHaveLength(1)
    await until(
      () => desk.messages(),
      open => open.includes('Pay'),
    )
  })

  it.each(['died', 'lives on'])(
    'gives way to a later one for the same request, when it could not be named and its process %s',
    async how => {
      const a = createNode(opens)
      const b = createNode(opens)
      const { compareAndSet } = a.store
      a.store.compareAndSet = async (key, ...rest) => {
        if (key.startsWith('shop/repeat/')) throw new StoreUnavailableError('The store', undefined)
        return compareAndSet(key, ...rest)
      }
      await expect(a.request('tools/call', call)).rejects.toThrow(/does not answer/)
      const first = log
      const kindsOf = (name: string) => eventsOf(name).then(all => all.map(({ kind }) => kind))
      if (how === 'died') kill(a)
      expect(textOf(await b.request('tools/call', call))).toContain('"Pay"')
      a.store.compareAndSet = compareAndSet
      await until(
        () => kindsOf(first),
        all => all.includes('cancelled'),
      )
      await pass(1_000)
      expect(desk.messages()).toEqual(['Pay'])
    },
  )

  it('gives way to the same call in another process, and leaves no state to bring back', async () => {
    const handler: Handler = async ctx => (await Promise.all([ctx.confirm('Sure?'), opens(ctx)])).join()
    const nodes = [createNode(handler), createNode(handler)] as const
    const replies = await Promise.all(nodes.map(node => node.request('tools/call', call)))
    const rounds = replies.filter(reply => reply.requestState !== undefined)
    expect(rounds).toHaveLength(1)
    expect(desk.messages()).toEqual(['Pay'])
    expect(textOf(await nodes[0].request('tools/call', answered(rounds[0] ?? {})))).toContain('"Pay"')
  })

  it('goes on by itself beside the same call in another process, where its client has a state of it', async () => {
    const handler: Handler = async ctx => [await ctx.confirm('Sure?'), await opens(ctx)].join()
    const nodes = [createNode(handler), createNode(handler)] as const
    const firsts = await Promise.all(nodes.map(node => node.request('tools/call', call)))
    const waiting = []
    for (const [index, node] of nodes.entries())
      waiting.push(textOf(await node.request('tools/call', answered(firsts[index] ?? {}))))
    expect(desk.messages()).toEqual(['Pay', 'Pay'])
    // The same answers again get the same reply.
    expect(textOf(await nodes[0].request('tools/call', answered(firsts[1] ?? {})))).toBe(waiting[1])
    const handle = waiting[1]?.match(/"handle":"([^"]+)"/)?.[1]
    const results = [call, { ...call, arguments: { beckon: { handle } } }].map(params => {
      desk.answer('Pay', accepted)
      return until(
        () => nodes[0].request('tools/call', params),
        now => textOf(now) === 'true,accept',
      )
    })
    expect(await Promise.all(results)).toHaveLength(2)
  })

  it('gets a reply for a round whose reply could not be written down, once the store is back', async () => {
    const a = createNode(async ctx => (await Promise.all([ctx.confirm('Sure?'), opens(ctx)])).join())
    const first = await a.request('tools/call', call)
    await until(events, all => all.some(event => event.kind === 'asked' && event.ask.wire === 'desk'))
    const { append } = a.store
    a.store.append = async (...line) => {
      a.store.append = append
      const at = await append(...line)
      a.store.isAway = true
      return at
    }
    await expect(a.request('tools/call', answered(first))).rejects.toThrow()
    a.store.isAway = false
    expect((await events()).at(-1)?.kind).toBe('answered')
    expect(textOf(await a.request('tools/call', answered(first)))).toContain('"Pay"')
  })

  it('stays on the desk while the store is away that has to record a step', async () => {
    const a = createNode(async ctx =>
      (await Promise.all([opens(ctx), later.then(() => ctx.step('one', () => 1))])).join(),
    )
    let goOn = () => {}
    const later = new Promise<void>(resolve => {
      goOn = resolve
    })
    expect(textOf(await a.request('tools/call', call))).toContain('"Pay"')
    a.store.isAway = true
    goOn()
    await pass(20)
    a.store.isAway = false
    await until(events, all => all.some(({ kind }) => kind === 'step'))
    expect(desk.messages()).toEqual(['Pay'])
    desk.answer('Pay', accepted)
    await until(
      () => a.request('tools/call', call),
      now => textOf(now) === 'accept,1',
    )
  })

  it('stays on the desk when its handler failed because the store was away', async () => {
    let runs = 0
    let fail = (_error: Error) => {}
    const a = createNode(async ctx =>
      (
        await Promise.all([
          opens(ctx),
          ++runs === 1 ? new Promise<string>((_, reject) => (fail = reject)) : `run ${runs}`,
        ])
      ).join(),
    )
    expect(textOf(await a.request('tools/call', call))).toContain('"Pay"')
    fail(new StoreUnavailableError('The store', undefined))
    await until(events, all => all.some(({ kind }) => kind === 'claimed'))
    expect(desk.messages()).toEqual(['Pay'])
    desk.answer('Pay', accepted)
    await until(
      () => a.request('tools/call', call),
      now => textOf(now) === 'accept,run 2',
    )
  })

  it('goes on by itself when the store has lost the end of its log', async () => {
    const a = createNode(async ctx => {
      const first = await opens(ctx)
      await ctx.elicit.url('Sign', 'https://sign.example/')
      return `${first} ${await ctx.step('one', () => 1)}`
    })
    expect(textOf(await a.request('tools/call', call))).toContain('"Pay"')
    desk.answer('Pay', accepted)
    await until(
      async () => desk.messages(),
      messages => messages.includes('Sign'),
    )
    const all = await shared.read(log)
    await shared.erase(log)
    await shared.append(
      log,
      all.slice(0, 1).map(({ value }) => value),
    )
    desk.answer('Sign', accepted)
    const ended = await until(events, known => known.some(({ kind }) => kind === 'ended'))
    expect([all.length, ended.map(({ kind }) => kind)]).toEqual([
      2,
      ['begun', 'asked', 'claimed', 'answered', 'asked', 'answered', 'step', 'ended'],
    ])
  })

  it('asks for nothing in its log that a round has answered already', async () => {
    let goOn = () => {}
    const later = new Promise<void>(resolve => {
      goOn = resolve
    })
    const handler: Handler = async ctx =>
      (await Promise.all([ctx.confirm('Sure?'), later.then(() => opens(ctx)), ctx.confirm('Really?')])).join()
    const a = createNode(handler)
    const first = await a.request('tools/call', call)
    const [id = ''] = idsOf(first)
    const { append } = a.store
    // While the answer is on its way, the call goes to the desk with what is still open there.
    a.store.append = async (...line) => {
      a.store.append = append
      goOn()
      await pass(50)
      return append(...line)
    }
    const inputResponses = { [id]: { action: 'accept', content: {} } }
    await a.request('tools/call', { ...call, requestState: first.requestState, inputResponses })
    await until(
      () => desk.messages(),
      open => open.includes('Pay'),
    )
    const all = await until(events, known => known.some(event => event.kind === 'asked' && event.ask.wire === 'desk'))
    expect(all[0]).toMatchObject({ kind: 'answered', entries: [{ ask: id }] })
    expect(all.filter(event => event.kind === 'asked' && event.ask.id === id)).toEqual([])
  })

  it('has every answer in its log that its result is from, also when the store was away for a moment', async () => {
    const a = createNode(ctx => opens(ctx))
    expect(textOf(await a.request('tools/call', call))).toContain('"Pay"')
    a.store.isAway = true
    desk.answer('Pay', accepted)
    await pass(20)
    a.store.isAway = false
    const all = await until(events, known => known.some(({ kind }) => kind === 'ended'))
    expect(all.map(({ kind }) => kind)).toEqual(['begun', 'asked', 'answered', 'ended'])
  })
})

describe('a call with a desk whose client takes tasks', () => {
  const finish = async (node: ReturnType<typeof createNode>, taskId: unknown) => {
    const asking = await until(
      () => node.request('tasks/get', { taskId }),
      task => idsOf(task).length > 0,
    )
    await node.request('tasks/update', { taskId, inputResponses: answersTo(asking) })
    return until(
      () => node.request('tasks/get', { taskId }),
      ({ status }) => status === 'completed',
    )
  }

  it('is asked by its task what it can show, from where it got one', async () => {
    const a = createNode(async ctx => [await opens(ctx), await ctx.confirm('Sure?')].join(), formsAndTasks)
    const { taskId } = await a.request('tools/call', call)
    await until(
      () => desk.messages(),
      open => open.includes('Pay'),
    )
    desk.answer('Pay', accepted)
    expect(textOf((await finish(a, taskId)).result as Params)).toBe('accept,true')
  })

  it('is asked by its task what a round had asked, where another process gave it one', async () => {
    const handler: Handler = async ctx => (await Promise.all([ctx.confirm('Sure?'), opens(ctx)])).join()
    const a = createNode(handler, formsAndTasks)
    await a.request('tools/call', call)
    await until(
      () => desk.messages(),
      open => open.includes('Pay'),
    )
    const b = createNode(handler, formsAndTasks)
    const { taskId } = await until(
      () => b.request('tools/call', call),
      reply => reply.taskId !== undefined,
    )
    desk.answer('Pay', accepted)
    expect(textOf((await finish(b, taskId)).result as Params)).toBe('true,accept')
  })
})
