import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { neededServices } from './needed-services.mjs'
import { services } from './services.mjs'

// Put together here, so that this file is not taken for one that needs them.
const [postgres, redis] = ['POSTGRES', 'REDIS'].map(name => `BECKON_TEST_${name}`)

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-needed-'))
  const files = {
    'plain.test.ts': `import { it } from 'vitest'`,
    'redis.test.ts': `const url = process.env.${redis}`,
    'indirect.test.ts': `import { open } from './open.js'\nimport './plain.test.js'`,
    'open.ts': `export const open = async () => (await import('./deep.mjs')).url\nimport './indirect.test.js'`,
    'deep.mjs': `export const url = process.env.${postgres}`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('neededServices', () => {
  /** @param {...string} files */
  const needed = (...files) => neededServices(files.map(file => join(folder, file))).map(({ name }) => name)

  it('needs nothing for a test that names no service', () => {
    expect(needed('plain.test.ts')).toEqual([])
    expect(needed('absent.test.ts')).toEqual([])
  })

  it('needs what a test names', () => {
    expect(needed('plain.test.ts', 'redis.test.ts')).toEqual(['Redis'])
  })

  it('needs what the files that a test imports name, however far away, and in a circle', () => {
    expect(needed('indirect.test.ts')).toEqual(['Postgres'])
  })

  it('does not take the services themselves for users of all services', () => {
    const file = join(import.meta.dirname, 'vitest-setup.mjs')
    expect(neededServices([file])).toEqual([])
    expect(services.length).toBeGreaterThan(0)
  })
})
