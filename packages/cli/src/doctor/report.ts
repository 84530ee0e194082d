import { plainLine } from '../terminal/plain-text.js'
import type { Examination } from './examine.js'

const marks = { pass: 'ok  ', fail: 'FAIL', 'not tested': '-   ' }

/** An examination for a person to read. */
export function reportOf({ server, eras, capabilities, checks }: Examination): string {
  const lines = [
    `${plainLine(String(server.name))} ${plainLine(String(server.version))}`,
    '',
    ...Object.entries(eras).map(
      ([era, seen]) => `  ${era}  ${'no' in seen ? `no: ${plainLine(seen.no)}` : what(seen)}`,
    ),
    `  capabilities: ${capabilities.map(plainLine).join(', ') || 'none'}`,
    '',
    ...checks.flatMap(({ verdict, level, rule, seen, remedy }) => [
      `  ${marks[verdict]}  ${level.padEnd(6)}  ${rule}`,
      ...(seen === undefined ? [] : [`                ${plainLine(seen)}`]),
      ...(remedy === undefined ? [] : [`                To do: ${remedy}`]),
    ]),
  ]
  if (checks.some(({ verdict }) => verdict === 'not tested')) {
    lines.push('', 'Rules about asks are tested with --call <tool> [arguments].')
  }
  return lines.join('\n')
}

function what({ version, tools, asks }: { version: string; tools: string[]; asks: string[] }): string {
  const asked = asks.length === 0 ? '' : `; asked ${asks.map(ask => `"${plainLine(ask)}"`).join(', ')}`
  return `${plainLine(version)}, ${tools.length} tools${asked}`
}
