import { expect, it } from 'vitest'
import type { Examination } from './examine.js'
import { reportOf } from './report.js'

const examination: Examination = {
  server: { name: 'shop', version: '1.0.0' },
  eras: { '2025': { no: 'it does not speak it' }, '2026': { version: '2026-07-28', tools: ['erase'], asks: [] } },
  capabilities: ['tools'],
  checks: [
    { id: 'https-addresses', level: 'SHOULD', rule: 'A URL ask leads to an https address.', verdict: 'not tested' },
  ],
}
const lastLine = (report: string) => report.split('\n').at(-1)

it('says how to test what was not', () => {
  expect(lastLine(reportOf(examination))).toBe(
    'What is not tested needs a tool that asks: name one with --call <tool>.',
  )
  expect(lastLine(reportOf({ ...examination, called: 'erase' }))).toBe(
    'What is not tested needs a tool that asks in another way than "erase" does.',
  )
  expect(lastLine(reportOf({ ...examination, checks: [] }))).toBe('Nothing that was tested is broken.')
})
