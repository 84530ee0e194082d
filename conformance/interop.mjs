// Tries a published client on a server of ours: `mcpdo`, in both eras, over HTTP and stdio, each connection by itself.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { openMcpdo } from './mcpdo.mjs'
import { startServer } from './start-server.mjs'

/** @typedef {import('./mcpdo.mjs').Mcpdo} Mcpdo */
/** @typedef {import('../scripts/tally.mjs').Tally} Tally */
/** @typedef {{ era: 'legacy' | 'modern', over: 'http' | 'stdio' }} Way */

const compiler = new URL('../test/typescript/register.mjs', import.meta.url).href
const server = fileURLToPath(new URL('../packages/server/test/asking/main.ts', import.meta.url))

/** @type {Way[]} */
const ways = [
  { era: 'legacy', over: 'http' },
  { era: 'modern', over: 'http' },
  { era: 'legacy', over: 'stdio' },
  { era: 'modern', over: 'stdio' },
]

/** @type {Record<string, (mcpdo: Mcpdo, way: Way) => Promise<void>>} */
const stories = {
  async 'fills in a form'(mcpdo, { era }) {
    const asked = await mcpdo.run('tools/call', 'book')
    assert.equal(asked.ask?.message, 'Which table?')
    assert.equal(asked.ask?.origin, era === 'legacy' ? 'server-request' : 'input-required')
    assert.deepEqual(Object.keys(asked.ask?.requestedSchema?.properties ?? {}), ['name', 'seats'])
    assert.equal((await mcpdo.answer(asked, 'name:=Ada', 'seats:=2')).text, 'Booked 2 for Ada.')
  },
  async 'is asked again when an answer does not fit'(mcpdo) {
    const again = await mcpdo.answer(await mcpdo.run('tools/call', 'book'), 'name:=Ada', 'seats:=12')
    assert.match(again.ask?.message ?? '', /The last answer did not fit/)
    assert.equal((await mcpdo.answer(again, 'name:=Ada', 'seats:=4')).text, 'Booked 4 for Ada.')
  },
  async declines(mcpdo) {
    assert.equal((await mcpdo.answer(await mcpdo.run('tools/call', 'book'), '--decline')).text, 'decline')
    assert.equal((await mcpdo.answer(await mcpdo.run('tools/call', 'erase'), '--decline')).text, 'Kept.')
  },
  async cancels(mcpdo) {
    assert.equal((await mcpdo.answer(await mcpdo.run('tools/call', 'book'), '--cancel')).text, 'cancel')
  },
  async confirms(mcpdo) {
    assert.equal((await mcpdo.answer(await mcpdo.run('tools/call', 'erase'), '{}')).text, 'Erased.')
  },
  async 'agrees to a URL'(mcpdo) {
    const asked = await mcpdo.run('tools/call', 'visit')
    assert.equal(asked.ask?.mode, 'url')
    assert.equal(asked.ask?.url, 'https://example.com/look')
    assert.equal((await mcpdo.answer(asked, '--done')).text, 'accept')
  },
  async 'is asked twice in a row'(mcpdo) {
    const second = await mcpdo.answer(await mcpdo.run('tools/call', 'order'), 'value:=tea')
    assert.equal(second.ask?.message, 'One tea?')
    assert.equal((await mcpdo.answer(second, '{}')).text, 'One tea.')
  },
  async 'is asked two things at once'(mcpdo) {
    const second = await mcpdo.answer(await mcpdo.run('tools/call', 'pair'), 'value:=one')
    assert.equal((await mcpdo.answer(second, 'value:=two')).text, 'one and two')
  },
  async 'is asked in a task'(mcpdo, { era }) {
    const asked = await mcpdo.run('tools/call', 'report')
    assert.equal(asked.ask?.origin, era === 'legacy' ? 'server-request' : 'task-input-required')
    assert.equal((await mcpdo.answer(asked, '{}')).text, 'Sent.')
  },
  async 'answers for a prompt and a resource'(mcpdo) {
    const tone = await mcpdo.run('prompts/get', 'letter')
    assert.equal((await mcpdo.answer(tone, 'value:=warm')).text, 'Write a warm letter.')
    const show = await mcpdo.run('resources/read', 'notes://7')
    assert.equal((await mcpdo.answer(show, '{}')).text, 'Note 7.')
  },
}

/** @returns {Promise<Tally>} of stories, over every way */
export async function runInterop() {
  const tallies = await Promise.all(ways.map(takeWay))
  const count = (/** @type {'passed' | 'failed'} */ kind) => tallies.reduce((sum, tally) => sum + tally[kind], 0)
  return { passed: count('passed'), failed: count('failed'), skipped: 0 }
}

/** @param {Way} way */
async function takeWay(way) {
  const title = `interop, mcpdo ${way.era} over ${way.over}`
  /** @type {string[]} */
  const problems = []
  const mcpdo = await openMcpdo()
  /** @type {import('./start-server.mjs').Started | undefined} */
  let http
  try {
    if (way.over === 'http') http = await startServer(['--import', compiler, server, '--http'])
    const target = http ? [http.url] : ['--', process.execPath, '--import', compiler, server]
    const { protocolEra } = await mcpdo.connect('--era', way.era, '--elicit', 'both', ...target)
    assert.equal(protocolEra, way.era)
    for (const [name, story] of Object.entries(stories)) {
      await story(mcpdo, way).catch(error => problems.push(`  ✗ ${name}\n${error.stack}`))
    }
  } catch (error) {
    problems.push(`  ✗ It could not connect.\n${error}`)
  } finally {
    await mcpdo.stop()
    await http?.stop()
  }
  const all = Object.keys(stories).length
  const failed = problems.length
  console.log([`${failed === 0 ? '✓' : '✗'} ${title}: ${all - failed} of ${all} stories`, ...problems].join('\n'))
  return { passed: all - failed, failed }
}
