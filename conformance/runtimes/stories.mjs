// What is asked on every runtime, with the official client, and of tasks with one of our own: a confirm, a form, a page, two asks with
// a step between them, ten calls at once, and, in rounds and where tasks are stored, a call whose process is replaced while a person
// thinks.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { taskClient } from './task-client.mjs'

/** @typedef {'2025' | '2026' | 'tasks'} Era */
/** @typedef {'confirm' | 'form' | 'url' | 'steps' | 'together' | 'restart'} Story */
/** @typedef {{ mode?: string | undefined, message: string }} Asked */
/** @typedef {{ start: () => Promise<import('../start-server.mjs').Started>, remove: () => Promise<void> }} Prepared */

/** The key of every server that is tried. */
export const testKey = 'a key that the tests use'

const modes = /** @type {const} */ ({ 2025: 'legacy', 2026: { pin: '2026-07-28' } })
/** @typedef {{ era: Era, hasStore: boolean }} Trial */
const answerWithinMs = 30_000

/** @typedef {{ call: (tool: string) => Promise<string>, restartBefore: (words: string) => void }} Tried */
/** @type {Record<Story, (tried: Tried) => Promise<void>>} */
const stories = {
  confirm: async ({ call }) => assert.equal(await call('archive'), 'Archived.'),
  form: async ({ call }) => assert.equal(await call('add'), 'Added "Buy milk", due in 3 days.'),
  url: async ({ call }) => assert.equal(await call('connect'), 'Connected.'),
  steps: async ({ call }) => assert.equal(await call('import'), 'Imported download 1 of 1 from home.'),
  together: async ({ call }) => {
    const texts = await Promise.all(Array.from({ length: 10 }, () => call('archive')))
    assert.deepEqual([...new Set(texts)], ['Archived.'])
  },
  restart: async ({ call, restartBefore }) => {
    restartBefore('Import download 2')
    // The process that ends the call downloaded nothing.
    assert.equal(await call('import'), 'Imported download 2 of 0 from home.')
  },
}

/** @param {Asked} asked */
function answer({ mode, message }) {
  if (mode === 'url') return { action: /** @type {const} */ ('accept') }
  const content = message.startsWith('What is')
    ? { title: 'Buy milk', days: 3 }
    : message.startsWith('From which')
      ? { value: 'home' }
      : {}
  return { action: /** @type {const} */ ('accept'), content }
}

/**
 * @param {() => Promise<Prepared>} prepare
 * @param {Trial} trial
 * @returns {Promise<{ stories: Partial<Record<Story, boolean>>, problems: string[] }>}
 */
export async function runStories(prepare, { era, hasStore }) {
  /** @type {Partial<Record<Story, boolean>>} */
  const worked = {}
  /** @type {string[]} */
  const problems = []
  const prepared = await prepare()
  try {
    const tried = await connect(prepared, era)
    try {
      for (const [name, story] of /** @type {[Story, (typeof stories)[Story]][]} */ (Object.entries(stories))) {
        // A session of 2025 holds its request open: that ends with the process. So does a task that is in memory.
        if (name === 'restart' && (era === '2025' || (era === 'tasks' && !hasStore))) continue
        await story(tried).then(
          () => (worked[name] = true),
          error => {
            worked[name] = false
            problems.push(`  ✗ ${name}\n${error.stack}`)
          },
        )
      }
    } finally {
      await tried.close()
      if (problems.length > 0) problems.push(tried.said())
    }
  } catch (error) {
    worked.confirm ??= false
    problems.push(
      `  ✗ It did not start, or the client could not connect.\n${error instanceof Error ? error.stack : error}`,
    )
  } finally {
    await prepared.remove()
  }
  return { stories: worked, problems }
}

/**
 * @param {Prepared} prepared
 * @param {Era} era
 */
async function connect({ start }, era) {
  let server = await start()
  /** @type {string | undefined} */
  let restartsBefore
  /** @param {Asked} asked */
  async function answerOrRestart(asked) {
    if (restartsBefore !== undefined && asked.message.startsWith(restartsBefore)) {
      restartsBefore = undefined
      await server.stop()
      server = await start()
    }
    return answer(asked)
  }
  const shared = {
    restartBefore: (/** @type {string} */ words) => {
      restartsBefore = words
    },
    said: () => server.said(),
  }
  if (era === 'tasks')
    return { ...shared, call: taskClient(() => server.url, answerOrRestart), close: () => server.stop() }
  const client = new Client(
    { name: 'runtimes', version: '1.0.0' },
    { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: modes[era] } },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => answerOrRestart(params))
  // After a restart the server is at another port.
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: (_url, init) => fetch(server.url, init),
  })
  const close = async () => {
    await client.close()
    await server.stop()
  }
  try {
    await client.connect(transport)
    assert.equal(client.getProtocolEra(), era === '2026' ? 'modern' : 'legacy')
  } catch (error) {
    await close()
    throw error
  }
  return { ...shared, call: (/** @type {string} */ tool) => callOf(client, tool), close }
}

/**
 * @param {Client} client
 * @param {string} tool
 */
async function callOf(client, tool) {
  const { content } = await client.callTool({ name: tool, arguments: {} }, { timeout: answerWithinMs })
  const [block] = /** @type {{ text: string }[]} */ (content)
  return block?.text ?? ''
}
