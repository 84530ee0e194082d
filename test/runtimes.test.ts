import { expect, it } from 'vitest'
import { runtimesTableProblems } from '../conformance/runtimes/runtimes-table.mjs'

it('has the table of runtimes in the README as the last whole run wrote it', async () => {
  expect(await runtimesTableProblems()).toEqual([])
})
