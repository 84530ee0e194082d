// R5: "A recorded step never runs again." docs/calls.md: "A finished `ctx.step` never runs again."
import { describe, expect, it } from 'vitest'
import { ask, createNode, loud, open } from '../../test/round-node.js'
import { memoryStore } from '../store/index.js'

const long = { timeoutMs: 3_600_000 }

function twoProcesses() {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
  const paid: string[] = []
  const ids: Record<string, string[]> = {}
  const make = () =>
    createNode(
      async call =>
        Promise.all(
          ['a', 'b'].map(async name => {
            if ((await ask(call, `Pay ${name}?`, long)) === undefined) return `${name}: not paid`
            return call.step('pay', ({ id }) => {
              paid.push(name)
              ids[name] = [...(ids[name] ?? []), id]
              return `paid ${name}`
            })
          }),
        ),
      { store },
    )
  return { one: make(), two: make(), paid, ids }
}

describe('a step of one name in branches that are answered one after the other', () => {
  it('runs once for each branch when one process has all of it', async () => {
    const { one, paid } = twoProcesses()
    const first = await one.send()
    const [, b = ''] = open(first).ids
    const second = await one.send({ state: open(first).state, answers: { [b]: 'yes' } })
    expect(await one.send(loud(second))).toEqual({ kind: 'finished', result: ['paid a', 'paid b'] })
    expect(paid).toEqual(['b', 'a'])
  })

  it('runs once for each branch when another process goes on', async () => {
    const { one, two, paid, ids } = twoProcesses()
    const first = await one.send()
    const [, b = ''] = open(first).ids
    const second = await one.send({ state: open(first).state, answers: { [b]: 'yes' } })
    expect(paid).toEqual(['b'])
    const last = await two.send(loud(second))
    expect({ last, paid, ids: ids.b?.length }).toEqual({
      last: { kind: 'finished', result: ['paid a', 'paid b'] },
      paid: ['b', 'a'],
      ids: 1,
    })
  })

  it('runs once for each branch when the waiting handler was let go to stay within bounds', async () => {
    const paid: string[] = []
    const { send } = createNode(
      async call => {
        if (call.target.name === 'other') return ask(call, 'Other?', long)
        return Promise.all(
          ['a', 'b'].map(async name => {
            if ((await ask(call, `Pay ${name}?`, long)) === undefined) return `${name}: not paid`
            return call.step('pay', () => {
              paid.push(name)
              return `paid ${name}`
            })
          }),
        )
      },
      { limits: { suspended: 1 } },
    )
    const first = await send()
    const [, b = ''] = open(first).ids
    const second = await send({ state: open(first).state, answers: { [b]: 'yes' } })
    // A stranger's call takes the only place.
    await send({ name: 'other' })
    await send(loud(second))
    expect(paid).toEqual(['b', 'a'])
  })
})

// docs/calls.md: "An answer counts only for the question that the person saw." Each branch asks twice, the second time in the same words.
it('has the second yes of one branch not count for another, when another process goes on', async () => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
  const deleted: string[] = []
  const make = () =>
    createNode(
      async call =>
        Promise.all(
          ['a', 'b'].map(async name => {
            if ((await ask(call, `Delete ${name}?`, long)) !== 'yes') return
            if ((await ask(call, 'It is still in use. Delete it all the same?', long)) !== 'yes') return
            await call.step(`delete ${name}`, () => void deleted.push(name))
          }),
        ),
      { store },
    )
  const [one, two] = [make(), make()]
  const first = await one.send()
  const [a = '', b = ''] = open(first).ids
  // b first: its second question is open beside the first one about a.
  const second = await one.send({ state: open(first).state, answers: { [b]: 'yes' } })
  const again = open(second).ids.find(id => id !== a) ?? ''
  // Yes to all that was asked so far. Nobody was asked whether a, which is in use, is to be deleted all the same.
  await two.send({ state: open(second).state, answers: { [a]: 'yes', [again]: 'yes' } })
  expect(deleted).toEqual(['b'])
})

// docs/calls.md: "the handler is **replayed**: run again from the top, with a journal answering every ask and step it already passed."
it('goes the way that it went, when it raced two asks, and another process goes on', async () => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
  const done: string[] = []
  const make = () =>
    createNode(
      async call => {
        const won = await Promise.race([
          ask(call, 'Cancel the order?', long).then(() => 'refund'),
          ask(call, 'Ship it?', long).then(() => 'ship'),
        ])
        await call.step(won, () => void done.push(won))
        await ask(call, 'Send a mail?', long)
        return won
      },
      { store },
    )
  const [one, two] = [make(), make()]
  const first = await one.send()
  const [, ship = ''] = open(first).ids
  const second = await one.send({ state: open(first).state, answers: { [ship]: 'yes' } })
  expect(done).toEqual(['ship'])
  await two.send(loud(second))
  expect(done).toEqual(['ship'])
})
