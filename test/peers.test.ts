import { expect, it } from 'vitest'
import { tableProblems } from '../conformance/peers-table.mjs'

it('has the table of peers in the documentation as the last whole run wrote it', async () => {
  expect(await tableProblems()).toEqual([])
})
