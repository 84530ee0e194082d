import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../../test/run-here.js'
import { optionHelp, optionName } from './command.js'
import { commands } from './index.js'

const page = join(import.meta.dirname, '../../../../docs/cli.md')
const written = /(?<=<!-- Written by [^\n]* -->\n).*(?=<!-- Until here. -->)/s

/** The options of every command, for docs/cli.md. */
async function optionsPage(): Promise<string> {
  const sections = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => {
      const { command } = await load()
      const rows = Object.entries(command.options).map(([key, option]) => {
        const cells = [`\`${optionName(key, option)}\``, optionHelp(option)]
        return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
      })
      return `### \`beckon ${name}\`\n\n| option | what it does |\n|---|---|\n${rows.join('\n')}\n`
    }),
  )
  return sections.join('\n')
}

it('has every option in docs/cli.md; `vitest run -u` with this file writes them', async () => {
  const text = readFileSync(page, 'utf8')
  expect(text).toMatch(written)
  const options = await optionsPage()
  await expect(text.replace(written, () => `\n${options}\n`)).toMatchFileSnapshot(page)
}, 60_000)

it('lists in its help what it takes, in lines that fit a terminal', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { command } = await load()
    const { code, stdout } = await runHere([name, '--help'])
    expect(code).toBe(0)
    for (const [key, option] of Object.entries(command.options))
      expect(stdout).toContain(`  ${optionName(key, option)} `)
    const options = stdout.slice(stdout.indexOf('\nOptions:')).split('\n\n')[0] ?? ''
    expect(options.split('\n').filter(line => line.length > 110)).toEqual([])
  }
})
