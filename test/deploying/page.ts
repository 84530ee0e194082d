// What docs/deploying.md has one write and run, as it stands there.
import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8')

/** The blocks of the page in a language, in order. */
export function blocks(language: string): string[] {
  return Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, 'gms')), ([, code = '']) => code)
}

/** Every command to run, in order. */
export const commands: readonly string[] = blocks('sh').flatMap(block => block.split('\n'))

/** How many commands the page says that there are. */
export const said: number = Number(/this\s+is (\d+) commands/.exec(page)?.[1])
