// Answers that come in one round go to a running handler all in one turn, and to a replayed one a turn each. So the order in which
// branches come to what follows is another in a replay, by nothing but how many `await`s a branch has.
// docs/calls.md: "A replay gives the handler what it learned in the order in which it learned it, so branches beside each other
// (`Promise.all`) go the way they went." "An answer counts only for the question that the person saw." R5, R6.
import { expect, it } from 'vitest'
import { ask, createNode, loud, open } from '../../test/round-node.js'
import { memoryStore } from '../store/index.js'

const long = { timeoutMs: 3_600_000 }
const sharedStore = () => ({ ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} })

/** Something of the author's own that happens to be async: nothing outside the process is waited for. */
const isInUse = async (_name: string) => true
const looksUp = async (name: string) => (name === 'a' ? isInUse(name) : undefined)

it('has a yes for b not count for a, when both were answered in one round', async () => {
  const store = sharedStore()
  const deleted: string[] = []
  const asked: string[] = []
  const make = () =>
    createNode(
      async call =>
        Promise.all(
          ['a', 'b'].map(async name => {
            if ((await ask(call, `Delete ${name}?`, long)) !== 'yes') return
            if (name === 'a') await looksUp(name)
            asked.push(name)
            if ((await ask(call, 'It is still in use. Delete it all the same?', long)) !== 'yes') return
            await call.step(`delete ${name}`, () => void deleted.push(name))
          }),
        ),
      { store },
    )
  const [one, two] = [make(), make()]
  const first = await one.send()
  const [a = '', b = ''] = open(first).ids
  const second = await one.send({ state: open(first).state, answers: { [a]: 'yes', [b]: 'yes' } })
  // In the order in which the process asked that showed them.
  const again = (name: string) => open(second).ids[asked.indexOf(name)] ?? ''
  const answers = { state: open(second).state, answers: { [again('b')]: 'yes', [again('a')]: 'no' } }
  await two.send(answers)
  expect(deleted).toEqual(['b'])
})

it('and in the process that asked, the same answers delete b', async () => {
  const deleted: string[] = []
  const asked: string[] = []
  const one = createNode(async call =>
    Promise.all(
      ['a', 'b'].map(async name => {
        if ((await ask(call, `Delete ${name}?`, long)) !== 'yes') return
        if (name === 'a') await looksUp(name)
        asked.push(name)
        if ((await ask(call, 'It is still in use. Delete it all the same?', long)) !== 'yes') return
        await call.step(`delete ${name}`, () => void deleted.push(name))
      }),
    ),
  )
  const first = await one.send()
  const [a = '', b = ''] = open(first).ids
  const second = await one.send({ state: open(first).state, answers: { [a]: 'yes', [b]: 'yes' } })
  const again = (name: string) => open(second).ids[asked.indexOf(name)] ?? ''
  await one.send({ state: open(second).state, answers: { [again('b')]: 'yes', [again('a')]: 'no' } })
  expect(deleted).toEqual(['b'])
})

it('does what won a race, and not what lost it as well, when both were answered in one round', async () => {
  const store = sharedStore()
  const done: string[] = []
  const make = () =>
    createNode(
      async call => {
        const won = await Promise.race([
          ask(call, 'Cancel the order?', long).then(async () => {
            await looksUp('a')
            return 'refund'
          }),
          ask(call, 'Ship it?', long).then(() => 'ship'),
        ])
        await call.step(won, () => void done.push(won))
        await ask(call, 'Send a mail?', long)
        return won
      },
      { store },
    )
  const [one, two] = [make(), make()]
  const second = await one.send(loud(await one.send()))
  expect(done).toHaveLength(1)
  await two.send(loud(second))
  expect(done).toHaveLength(1)
})

it('gives each branch the result of its own step, when both were answered in one round', async () => {
  const store = sharedStore()
  const make = () =>
    createNode(
      async call => {
        const paid = await Promise.all(
          ['a', 'b'].map(async name => {
            await ask(call, `Pay ${name}?`, long)
            if (name === 'a') await looksUp(name)
            return `${name}: ${await call.step('pay', () => `paid ${name}`)}`
          }),
        )
        await ask(call, 'Send a receipt?', long)
        return paid
      },
      { store },
    )
  const [one, two] = [make(), make()]
  const second = await one.send(loud(await one.send()))
  expect(await two.send(loud(second))).toEqual({ kind: 'finished', result: ['a: paid a', 'b: paid b'] })
})

it('pays each once, when the process goes between the two steps', async () => {
  const store = sharedStore()
  const paid: string[] = []
  let isStuck = true
  const make = () =>
    createNode(
      async call =>
        Promise.all(
          ['a', 'b'].map(async name => {
            await ask(call, `Pay ${name}?`, long)
            if (name === 'a') await looksUp(name)
            return call.step('pay', async () => {
              // The bank of a takes its time.
              if (name === 'a' && isStuck) await new Promise(() => {})
              paid.push(name)
              return `paid ${name}`
            })
          }),
        ),
      { store },
    )
  const [one, two] = [make(), make()]
  const first = await one.send()
  const gone = new AbortController()
  const left = one.send({ ...loud(first), signal: gone.signal }).catch(() => {})
  while (paid.length === 0) await new Promise(resolve => setImmediate(resolve))
  for (let turns = 0; turns < 20; turns++) await new Promise(resolve => setImmediate(resolve))
  gone.abort()
  await left
  isStuck = false
  await two.send(loud(first))
  expect([...paid].sort()).toEqual(['a', 'b'])
})

it('goes the same way with steps alone: two that end in one turn', async () => {
  const store = sharedStore()
  const make = () =>
    createNode(
      async call => {
        const paid = await Promise.all(
          ['a', 'b'].map(async name => {
            await call.step(`price of ${name}`, () => 1)
            if (name === 'a') await looksUp(name)
            return `${name}: ${await call.step('pay', () => `paid ${name}`)}`
          }),
        )
        await ask(call, 'Send a receipt?', long)
        return paid
      },
      { store },
    )
  const [one, two] = [make(), make()]
  expect(await two.send(loud(await one.send()))).toEqual({ kind: 'finished', result: ['a: paid a', 'b: paid b'] })
})

// A replay that goes on with a round gives the handler its new answers a turn each; a step that it runs meanwhile is after them in the
// journal, and overtakes those whose turn has not come.
it('has a yes for a not count for b, when a step of a was run while the answer of b waited for its turn', async () => {
  const deleted: string[] = []
  const asked: string[] = []
  const make = () =>
    createNode(async call =>
      Promise.all(
        ['a', 'b', 'c'].map(async name => {
          if ((await ask(call, `Delete ${name}?`, long)) !== 'yes') return
          if (name === 'a') await call.step('look up', () => 'in use')
          if (name === 'c') return
          asked.push(name)
          if ((await ask(call, 'It is still in use. Delete it all the same?', long)) !== 'yes') return
          await call.step(`delete ${name}`, () => void deleted.push(name))
        }),
      ),
    )
  // The state carries the journal.
  const [one, two, three] = [make(), make(), make()]
  const first = await one.send()
  const [a = '', b = '', c = ''] = open(first).ids
  asked.length = 0
  const second = await two.send({ state: open(first).state, answers: { [a]: 'yes', [b]: 'yes', [c]: 'yes' } })
  const again = (name: string) => open(second).ids[asked.indexOf(name)] ?? ''
  await three.send({ state: open(second).state, answers: { [again('a')]: 'yes', [again('b')]: 'no' } })
  expect(deleted).toEqual(['a'])
})
