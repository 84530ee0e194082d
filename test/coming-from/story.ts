// Runs what a document says on every wire: with the test client, on a real desk, and with the official client over real transports.
import { createDesk } from '@beckon/desk'
import { type BeckonServer, createServer, type ServerOptions } from 'beckon'
import { createTestClient, type TestAnswer, type TestClient, type TestClientOptions } from 'beckon/test'
import { describe, it } from 'vitest'
import { afterEveryTest } from '../every-file.js'
import { type DocumentName, documents } from './documents/index.js'
import { officialClient, type Transport, transports } from './official-client.js'
import { answerOnDesk } from './person-at-desk.js'

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

export type Caller = Pick<TestClient, 'callTool'>

/** What a person does with a page. */
type OpenPage = (url: string) => Promise<unknown>

export interface Story<Client extends Caller = Caller, Over = Wire | Transport> {
  readonly wire: Over
  /** Has what the document offers. */
  readonly server: BeckonServer
  /** A client on the wire, whose person says these things, one after the other. */
  client(...answers: TestAnswer[]): Client
  /** One whose person agrees to every page, once `open` has been there. */
  visitor(open: OpenPage, options?: TestClientOptions): Client
  /** One that cannot ask anybody. */
  mute(): Client
}

/** What the people of a story do. */
export interface Said {
  readonly answers: TestAnswer[]
  open: OpenPage
}

const closing: (() => unknown)[] = []
afterEveryTest(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Tells a story of a document on each of these wires. */
export function on<W extends Wire>(
  document: DocumentName,
  over: readonly W[],
  name: string,
  tell: (story: Story<TestClient, W>) => Promise<void>,
): void
export function on<W extends Wire | Transport>(
  document: DocumentName,
  over: readonly W[],
  name: string,
  tell: (story: Story<Caller, W>) => Promise<void>,
): void
export function on(
  document: DocumentName,
  over: readonly (Wire | Transport)[],
  name: string,
  tell: (story: never) => Promise<void>,
): void {
  describe(name, () => {
    it.each(over)('%s', { timeout: 60_000 }, async wire => {
      const story = await (isTransport(wire) ? storyOver(wire, document) : storyOn(wire, document))
      // The overloads say which wires have which client.
      await tell(story as never)
    })
  })
}

function isTransport(wire: Wire | Transport): wire is Transport {
  return transports.some(transport => transport === wire)
}

async function storyOn(wire: Wire, document: DocumentName): Promise<Story<TestClient, Wire>> {
  const said: Said = { answers: [], open: async () => {} }
  const options: ServerOptions = { name: 'story', version: '1.0.0', person: 'unchecked' }
  const server = createServer(wire === 'desk' ? { ...options, desk: await deskWith(said), wait: 'hold' } : options)
  closing.push(() => server.close())
  const offered = wire === 'tasks' ? asTasks(server) : server
  documents[document](offered)
  const connect = (how: TestClientOptions) => {
    const client = createTestClient(server, { ...optionsOf[wire], ...how })
    closing.push(() => client.close())
    return client
  }
  return {
    wire,
    server: offered,
    client(...answers) {
      said.answers.push(...answers)
      return connect({ answer: answers })
    },
    visitor(open, more) {
      said.open = open
      return connect({
        ...more,
        async answer(ask) {
          if (ask.kind === 'url') await open(ask.url)
          return 'accept'
        },
      })
    },
    mute: () => connect({ capabilities: {} }),
  }
}

async function storyOver(wire: Transport, document: DocumentName): Promise<Story<Caller, Transport>> {
  const server = createServer({ name: 'story', version: '1.0.0', person: 'unchecked' })
  closing.push(() => server.close())
  documents[document](server)
  const connect = (said: Said | undefined) => {
    const client = officialClient(wire, { server, document, said })
    closing.push(() => client.close())
    return client
  }
  return {
    wire,
    server,
    client: (...answers) => connect({ answers, open: async () => {} }),
    visitor: open => connect({ answers: [], open }),
    mute: () => connect(undefined),
  }
}

/** A server whose tools run as tasks, which the documents know nothing of. */
function asTasks(server: BeckonServer): BeckonServer {
  const tool = (...given: unknown[]) => {
    const config = given.at(-2)
    return server.tool(
      ...(given.with(-2, { ...(config as object), task: 'optional' }) as Parameters<typeof server.tool>),
    )
  }
  return { ...server, tool }
}

async function deskWith(said: Said) {
  const desk = createDesk()
  closing.push(() => desk.close())
  const { socketUrl } = await desk.listen()
  closing.push(await answerOnDesk(socketUrl, said))
  return desk
}
