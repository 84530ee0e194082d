import { afterEach, expect, it, vi } from 'vitest'
import { createParts, type DeskParts } from '../../desk-parts.js'
import { createRest } from '../rest.js'

let parts: DeskParts | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await parts?.close()
})

it('tries one rule of a person at a time, since that reads much', async () => {
  parts = createParts()
  const rest = createRest(parts)
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  vi.spyOn(parts.audit, 'entries').mockImplementation(async function* () {
    yield* await held.then(() => [])
  })
  const tryAs = async (principal: string) => {
    const body = { effect: 'deny', match: {} }
    const request = {
      method: 'POST',
      path: '/api/rules/try',
      query: new URLSearchParams(),
      body,
      header: () => undefined,
    }
    return (await rest.handle(request, { principal, device: 'd' }))?.status
  }
  const first = tryAs('ann')
  const other = tryAs('bob')
  expect(await tryAs('ann')).toBe(429)
  goOn()
  expect([await first, await other, await tryAs('ann')]).toEqual([200, 200, 200])
})
