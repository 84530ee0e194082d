import { describe, expect, it } from 'vitest'
import { askingServer } from '../../test/asking-server.js'
import { badServer, beckon, rawServer, runBeckon, startBeckon } from '../../test/beckon.js'
import { connectHttp, connectStdio, eras, newClient, patience, textOf } from '../../test/clients.js'
import { runHere } from '../../test/run-here.js'
import type { Examination } from '../doctor/examine.js'

const patient = 120_000

async function examine(...args: string[]): Promise<{ code: number | null; report: Examination }> {
  const { code, stdout, stderr } = await runHere(['doctor', '--json', ...args])
  expect(stderr).toBe('')
  return { code, report: JSON.parse(stdout) as Examination }
}

function verdicts({ checks }: Examination): Record<string, string> {
  return Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]))
}

describe('beckon doctor', () => {
  it('finds every rule that a bad server breaks, and says what to do', { timeout: patient }, async () => {
    const { code, report } = await examine('--call', 'ask me anything!', '--', ...badServer)
    expect(code).toBe(1)
    expect(report.checks.every(({ remedy, verdict }) => (verdict === 'fail') === (remedy !== undefined))).toBe(true)
    expect(verdicts(report)).toEqual({
      'input-schemas': 'pass',
      'tool-names': 'fail',
      'silent-without-elicitation': 'fail',
      'asks-only-what-is-declared': 'fail',
      'asks-have-a-message': 'fail',
      'flat-forms': 'fail',
      'known-formats': 'fail',
      'no-secrets-in-forms': 'fail',
      'proper-addresses': 'pass',
      'https-addresses': 'fail',
      'no-personal-data-in-addresses': 'fail',
      'url-asks-have-an-id': 'fail',
      'state-is-not-trusted': 'fail',
      'state-is-bound': 'fail',
      'state-is-used-once': 'fail',
      'unknown-answers-are-ignored': 'fail',
      'missing-answers-are-asked-again': 'fail',
    })
  })

  it('finds nothing wrong with a server of ours', { timeout: patient }, async () => {
    const ours = askingServer()
    const { url } = await ours.listen({ port: 0 })
    const { code, report } = await examine('--call', 'every_kind', url).finally(() => ours.close())
    expect(code).toBe(0)
    const found = verdicts(report)
    expect(Object.values(found)).not.toContain('fail')
    expect(found).toMatchObject({
      'flat-forms': 'pass',
      'state-is-not-trusted': 'pass',
      'state-is-bound': 'pass',
      'state-is-used-once': 'pass',
      'unknown-answers-are-ignored': 'pass',
      'missing-answers-are-asked-again': 'pass',
    })
    expect(report.eras).toMatchObject({ '2025': { version: '2025-11-25' }, '2026': { version: '2026-07-28' } })
  })

  it('says what it did not test, and in which eras a server speaks', { timeout: patient }, async () => {
    const [dashes, ...command] = ['--', ...rawServer]
    const { code, stdout } = await runBeckon(['doctor', String(dashes), ...command, '2025'])
    expect(code).toBe(0)
    expect(stdout).toContain('raw 3.2.1')
    expect(stdout).toMatch(/2026 {2}no: /)
    expect(stdout).toContain('--call')
  })

  it.each([
    [['doctor'], 2],
    [['doctor', 'http://127.0.0.1:9/mcp'], 4],
    [['doctor', 'http://x', '--timeout', 'soon'], 2],
  ])('ends %j with %i', { timeout: patient }, async (args, code) => {
    expect(await runHere(args)).toMatchObject({ code, stdout: '' })
  })
})

describe.each(eras)('beckon doctor --client, %s', era => {
  it('says over stdio what a client declares and does', { timeout: patient }, async () => {
    const answering = newClient(era, ({ url }) =>
      url ? { action: 'decline' } : { action: 'accept', content: { text: 'x' } },
    )
    const client = await connectStdio(answering, beckon('doctor', '--client'))
    const probe = async (name: string) => JSON.parse(textOf(await client.callTool({ name }, patience)))
    const declares = ['elicitation: form', 'elicitation: url']
    expect(await probe('probe_capabilities')).toEqual({
      tool: 'probe_capabilities',
      declares,
      outcome: 'nothing was asked',
    })
    expect(await probe('probe_confirm')).toMatchObject({ outcome: 'accept' })
    expect(await probe('probe_form')).toMatchObject({ outcome: 'accept with text' })
    expect(await probe('probe_url')).toMatchObject({ outcome: 'decline' })
    expect(await probe('probe_two')).toMatchObject({ outcome: 'accept, accept' })
    expect((await client.callTool({ name: 'probe_person' }, patience)).structuredContent).toMatchObject({
      // How fast this machine is says nothing about the client: probe.test.ts has the two apart.
      outcome: expect.stringMatching(/answers by itself|as a person might/),
    })
    await client.close()
  })

  it('says over HTTP that a client cannot ask', { timeout: patient }, async () => {
    const doctor = startBeckon(['doctor', '--client', '--http', '0'])
    const client = await connectHttp(newClient(era), (await doctor.written(/to (http\S+) and/))[1] ?? '')
    const seen = JSON.parse(textOf(await client.callTool({ name: 'probe_confirm' }, patience)))
    expect(seen).toEqual({ tool: 'probe_confirm', declares: [], outcome: 'not accepted' })
    expect(JSON.parse(textOf(await client.callTool({ name: 'probe_person' }, patience)))).toMatchObject({
      outcome: 'nobody was asked: no-capability',
    })
    await doctor.written(/probe_confirm: not accepted\. The client declares nothing\./)
    await client.close()
    expect(await doctor.stop()).toBe(0)
  })
})
