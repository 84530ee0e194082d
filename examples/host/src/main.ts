// A host without any user interface: an official MCP client whose asks are answered through a desk, by someone who
// watches it over a socket; by every way that a server has to ask.
import assert from 'node:assert/strict'
import { createDesk } from '@beckon/desk'
import { answerWith } from '@beckon/host'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Script, type Shown, sitDown } from './person.js'
import { createAgency } from './server.js'

const tasks = { 'io.modelcontextprotocol/tasks': {} }
const elicitation = { form: {}, url: {} }
const wires: Record<string, ClientOptions> = {
  // It has no pages to visit, and declares that.
  'push, 2025-06-18': { supportedProtocolVersions: ['2025-06-18'], capabilities: { elicitation: {} } },
  'push, 2025-11-25': { versionNegotiation: { mode: 'legacy' } },
  'rounds, 2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  'tasks, 2026-07-28': {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation, extensions: tasks },
  },
}

const terms = {
  server: 'travel-agency',
  message: 'Accept the terms.',
  questions: [],
  url: 'https://travel.example/terms',
}

const shown: Shown[] = []
const script: Script = ask => {
  shown.push(ask)
  if (ask.message.includes('Atlantis')) return undefined
  if (ask.questions.length === 0) return {}
  return { seats: { kind: 'number', value: 2 }, by: { kind: 'selected', value: 'train' } }
}

const agency = createAgency()
const { url } = await agency.listen({ port: 0 })
const desk = createDesk()
const person = await sitDown((await desk.listen()).socketUrl, script)

try {
  for (const [wire, options] of Object.entries(wires)) {
    const client = new Client({ name: 'agent', version: '1.0.0' }, options)
    const answered = answerWith(desk, client)
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))

    assert.equal(await book('Vienna'), 'Booked 2 by train to Vienna.')
    assert.deepEqual(shown.splice(0), [
      { server: 'travel-agency', message: 'How do you want to travel to Vienna?', questions: ['seats', 'by'] },
      { server: 'travel-agency', message: 'Book 2 seats on the train to Vienna?', questions: [] },
      ...(wire.endsWith('06-18') ? [] : [terms]),
    ])
    assert.equal(await book('Atlantis'), 'Nothing booked.')
    assert.equal(shown.splice(0).length, 1)
    await client.close()
    console.log(`host: ok (${wire})`)

    async function book(to: string): Promise<string | undefined> {
      const { content } = await answered.callTool({ name: 'book', arguments: { to } })
      return content[0]?.type === 'text' ? content[0].text : undefined
    }
  }
} finally {
  person.leave()
  await desk.close()
  await agency.close()
}
