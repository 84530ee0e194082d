import { plainLine } from '../plain-text.js'
import type { Check } from './check.js'
import type { Examination } from './examine.js'

const indent = ' '.repeat(10)

/** An examination for a person to read: what is broken first, and what to do about it. */
export function reportOf({ server, eras, capabilities, called, checks }: Examination): string {
  const having = (verdict: Check['verdict']) =>
    checks.filter(check => check.verdict === verdict).sort((a, b) => a.level.localeCompare(b.level))
  const [broken, passed, untested] = [having('fail'), having('pass'), having('not tested')]
  return [
    `${plainLine(String(server.name))} ${plainLine(String(server.version))}`,
    ...Object.entries(eras).map(
      ([era, seen]) => `  ${era}  ${'no' in seen ? `no: ${plainLine(seen.no)}` : what(seen)}`,
    ),
    `  has   ${capabilities.map(plainLine).join(', ') || 'no capabilities'}`,
    ...group('Broken', broken, ({ seen, remedy }) => [
      `${indent}Seen:  ${plainLine(seen ?? '')}`,
      `${indent}To do: ${remedy}`,
    ]),
    ...group('Kept', passed),
    ...group('Not tested', untested),
    '',
    summaryOf(broken),
    ...(untested.length > 0 ? [howToTest(called)] : []),
  ].join('\n')
}

function howToTest(called: string | undefined): string {
  if (called === undefined) return 'What is not tested needs a tool that asks: name one with --call <tool>.'
  return `What is not tested needs a tool that asks in another way than "${plainLine(called)}" does.`
}

function group(title: string, checks: readonly Check[], more: (check: Check) => string[] = () => []): string[] {
  if (checks.length === 0) return []
  const lines = checks.flatMap(check => [`  ${check.level.padEnd(8)}${check.rule}`, ...more(check)])
  return ['', `${title} (${checks.length})`, ...lines]
}

function summaryOf(broken: readonly Check[]): string {
  const musts = broken.filter(({ level }) => level === 'MUST').length
  if (broken.length === 0) return 'Nothing that was tested is broken.'
  return `Broken: ${musts} of what a server must do, ${broken.length - musts} of what it should.`
}

function what({ version, tools, asks }: { version: string; tools: string[]; asks: string[] }): string {
  const asked = asks.length === 0 ? '' : `; asked ${asks.map(ask => `"${plainLine(ask)}"`).join(', ')}`
  return `${plainLine(version)}, ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${asked}`
}
