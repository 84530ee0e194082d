// In processes of their own: another test's garbage would count as well.
import { expect, it } from 'vitest'
import { holdSettled, holdSuspended } from '../../../bench/calls/load/hold.mjs'
import { programOf } from '../../../test/programs/program.mjs'

const holding = await programOf(new URL('../../../bench/calls/servers/holding.mjs', import.meta.url))

it('holds a suspended call in a few kilobytes, and gives them back when it is dropped', {
  timeout: 120_000,
}, async () => {
  // So many that what the server holds once, whatever the number of calls, is a small part of it.
  const { bytesPerCall, bytesLeftPerCall } = await holdSuspended(10_000, holding)
  expect(bytesPerCall).toBeLessThan(5_000)
  expect(bytesLeftPerCall).toBeLessThan(250)
})

it('keeps a bounded record of the rounds that were answered', { timeout: 120_000 }, async () => {
  const { bytesPerRecord, bytesGrownPerCall } = await holdSettled(1_000, holding)
  expect(bytesPerRecord).toBeLessThan(3_000)
  expect(bytesGrownPerCall).toBeLessThan(300)
})
