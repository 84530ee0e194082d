import { afterEach, describe, it } from 'vitest'
import { type BeckonServer, createServer, type ServerOptions } from '../../src/index.js'
import { createTestClient, type TestAnswer, type TestClient, type TestClientOptions } from '../../src/test/index.js'
import { type AskDesk, type DeskOutcome, deskDouble } from '../desk-double.js'

/** How an ask can reach a person. */
export const wires = ['push 2025-06-18', 'push 2025-11-25', 'rounds', 'tasks', 'desk'] as const
export const clientWires = ['push 2025-06-18', 'push 2025-11-25', 'rounds', 'tasks'] as const
export const urlWires = ['push 2025-11-25', 'rounds', 'tasks', 'desk'] as const
export type Wire = (typeof wires)[number]

const optionsOf: Readonly<Record<Wire, TestClientOptions>> = {
  'push 2025-06-18': { wire: 'push', revision: '2025-06-18' },
  'push 2025-11-25': { wire: 'push', revision: '2025-11-25' },
  rounds: { wire: 'rounds' },
  tasks: { wire: 'tasks' },
  desk: { wire: 'rounds', capabilities: {} },
}

export interface Story {
  readonly wire: Wire
  readonly server: BeckonServer
  /** A client on the wire, whose person says these things, one after the other. */
  client(...answers: TestAnswer[]): TestClient
  /** One whose person agrees to every page, once `open` has been there. */
  visitor(open: (url: string) => Promise<unknown>, options?: TestClientOptions): TestClient
  /** One that cannot ask anybody. */
  mute(): TestClient
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const it of open.splice(0)) await it.close()
})

/** Runs a story on each of these wires. */
export function on<W extends Wire>(over: readonly W[], name: string, tell: (story: Story) => Promise<void>): void {
  describe(name, () => {
    it.each(over)('%s', wire => tell(storyOn(wire)))
  })
}

function storyOn(wire: Wire): Story {
  const said: Said = { answers: [], open: async () => {} }
  const options: ServerOptions = { name: 'story', version: '1.0.0' }
  const server = createServer(wire === 'desk' ? { ...options, desk: answering(said), wait: 'hold' } : options)
  open.push(server)
  const connect = (how: TestClientOptions) => {
    const client = createTestClient(server, how)
    open.unshift(client)
    return client
  }
  return {
    wire,
    server,
    client(...answers) {
      said.answers.push(...answers)
      return connect({ ...optionsOf[wire], answer: answers })
    },
    visitor(open, more) {
      said.open = open
      return connect({
        ...optionsOf[wire],
        ...more,
        async answer(ask) {
          if (ask.kind === 'url') await open(ask.url)
          return 'accept'
        },
      })
    },
    mute: () => connect({ ...optionsOf[wire], capabilities: {} }),
  }
}

/** What the people of a story do. */
interface Said {
  readonly answers: TestAnswer[]
  open: (url: string) => Promise<unknown>
}

/** A desk whose people say these things, and agree to every page. */
function answering(said: Said): AskDesk {
  const desk = deskDouble()
  return {
    async open(subject, request, options) {
      const opened = await desk.open(subject, request, options)
      const { message, url } = request
      if (url !== undefined) void said.open(url).then(() => desk.answer(message, outcomeOf('accept')))
      const next = url === undefined ? said.answers.shift() : undefined
      if (next !== undefined) desk.answer(message, outcomeOf(next))
      return opened
    },
  }
}

function outcomeOf(answer: TestAnswer): DeskOutcome {
  if (answer === 'decline' || answer === 'cancel') return { action: answer as 'decline' | 'cancel' }
  const content = typeof answer === 'object' ? answer : answer === 'accept' || answer === true ? {} : { value: answer }
  return { action: 'accept', content: content as never }
}
