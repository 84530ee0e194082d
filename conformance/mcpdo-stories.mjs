// `mcpdo`, the Inspector's headless client, on a server of ours: in both eras, over HTTP and stdio, each connection by itself.
import assert from 'node:assert/strict'
import { askingOnStdio, startAsking } from './asking.mjs'
import { openMcpdo } from './mcpdo.mjs'

/** @typedef {import('./mcpdo.mjs').Mcpdo} Mcpdo */
/** @typedef {import('./peers-table.mjs').Row} Row */
/** @typedef {{ era: 'legacy' | 'modern', over: 'http' | 'stdio' }} Way */

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

/**
 * @param {{ isShort: boolean }} options
 * @returns {Promise<Row[]>}
 */
export function runMcpdo({ isShort }) {
  // Every command of it is a process, which takes a second or more.
  if (isShort) return Promise.all([takeWay({ era: 'modern', over: 'http' }, ['fills in a form', 'confirms'])])
  return Promise.all(ways.map(way => takeWay(way, Object.keys(stories))))
}

/**
 * @param {Way} way
 * @param {readonly string[]} names of stories
 * @returns {Promise<Row>}
 */
async function takeWay(way, names) {
  const title = `interop, mcpdo ${way.era} over ${way.over}`
  /** @type {string[]} */
  const problems = []
  const mcpdo = await openMcpdo()
  /** @type {import('./start-server.mjs').Started | undefined} */
  let http
  try {
    if (way.over === 'http') http = await startAsking()
    const { command, args } = await askingOnStdio()
    const target = http ? [http.url] : ['--', command, ...args]
    const { protocolEra } = await mcpdo.connect('--era', way.era, '--elicit', 'both', ...target)
    assert.equal(protocolEra, way.era)
    for (const name of names) {
      await stories[name]?.(mcpdo, way).catch(error => problems.push(`  ✗ ${name}\n${error.stack}`))
    }
  } catch (error) {
    problems.push(...names.map(name => `  ✗ ${name}: it could not connect. ${error}`))
  } finally {
    await mcpdo.stop()
    await http?.stop()
  }
  const all = names.length
  const failed = Math.min(problems.length, all)
  console.log([`${failed === 0 ? '✓' : '✗'} ${title}: ${all - failed} of ${all} stories`, ...problems].join('\n'))
  const worked = failed === 0 ? 'yes' : 'no'
  return {
    peer: 'MCP Inspector (`mcpdo`)',
    from: '@modelcontextprotocol/inspector',
    era: way.era === 'legacy' ? '2025' : '2026',
    over: way.over,
    confirm: worked,
    form: worked,
    url: worked,
    passed: all - failed,
    failed,
  }
}
