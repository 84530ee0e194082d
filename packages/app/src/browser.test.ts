import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

it('is free of Node, in all that it imports', () => {
  const outside = new Set<string>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const source = readFileSync(file, 'utf8')
    // What is imported for its type alone is gone at run time.
    const imports = source.matchAll(/^(?:import|export)(?! type )[^;']*?from '([^']+)'/gm)
    for (const [, specifier = ''] of imports) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier.replace(/\.js$/, '.ts')))
      else outside.add(specifier)
    }
  }
  visit(join(import.meta.dirname, 'browser.ts'))
  expect([...outside].sort()).toEqual(['@beckon/core', '@beckon/core/json-rpc'])
  expect(seen.size).toBeGreaterThan(10)
  expect([...seen].every(file => existsSync(file) && !file.includes('/host/') && !file.includes('/node-'))).toBe(true)
})
