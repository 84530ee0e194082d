import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { afterEveryTest } from './every-file.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = [
  ...readdirSync(`${root}packages`).flatMap(name => [`packages/${name}/src`, `packages/${name}/test`]),
  'test',
]

it('is where every rig has its hooks, which would hold in one file of a worker otherwise', () => {
  const rigs = folders.flatMap(folder =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter(name => /(?<!\.test|\.setup)\.ts$/.test(name))
      .map(name => `${folder}/${name}`),
  )
  const withHooks = rigs.filter(path => /^(before|after)(Each|All)\(/m.test(readFileSync(`${root}${path}`, 'utf8')))
  expect(rigs.length).toBeGreaterThan(500)
  expect(withHooks).toEqual([])
})

let count = 0
afterEveryTest(() => {
  count++
})

it('runs what was registered after each test', () => {
  expect(count).toBe(1)
})
