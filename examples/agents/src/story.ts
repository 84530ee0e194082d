// What holds for every agent: a person sees the very call and what it may do, a restart finds the same ask, the first answer counts,
// its reason reaches the model, and nothing runs that nobody let run.
import assert from 'node:assert/strict'
import type { Desk } from '@beckon/desk'
import { type Approve, approvalsOn } from '@beckon/host/approvals'
import type { Person } from './person.js'
import type { Agent, Work } from './work.js'

interface Scene {
  readonly desk: Desk
  readonly person: Person
  /** As the framework calls it. */
  readonly tool?: string
}

export async function tellStory(
  name: string,
  agent: Agent,
  { desk, person, tool = 'erase_table' }: Scene,
): Promise<void> {
  const erased: string[] = []
  const work = (run: string, kept: Map<string, string>): Work => ({
    approve: approvalsOn(desk, { agent: name, run: `${name}-${run}` }),
    kept,
    signal: new AbortController().signal,
    erase(table) {
      erased.push(table)
      return `Erased ${table}.`
    },
  })

  const kept = new Map<string, string>()
  const first = work('declined', kept)
  const end = new AbortController()
  agent({ ...first, approve: gone(first.approve), signal: end.signal }).catch(() => {})
  const [ask] = await person.sees()
  assert.ok(ask)
  assert.deepEqual(
    { server: ask.server, tool: ask.tool, input: ask.arguments, destructive: ask.destructive },
    { server: name, tool, input: { table: 'orders' }, destructive: true },
  )
  end.abort()

  const again = agent(work('declined', kept))
  assert.ok(await person.decline(ask, 'Not on a Friday.'))
  assert.equal(await person.approve(ask), false)
  assert.match(await again, /Not on a Friday/)
  assert.deepEqual(erased, [])

  const approved = agent(work('approved', new Map()))
  const [next, ...others] = await person.sees()
  assert.ok(next)
  assert.deepEqual(others, [], 'The restart asked once more.')
  assert.ok(await person.approve(next))
  assert.match(await approved, /Erased orders/)
  assert.deepEqual(erased, ['orders'])
}

/** The approvals of an agent whose process ends while it waits: it hears of no answer, and has nothing withdrawn. */
function gone(approve: Approve): Approve {
  return call => approve(call).then(() => new Promise<never>(() => {}))
}
