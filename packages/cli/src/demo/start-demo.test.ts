import { expect, it, vi } from 'vitest'
import { clickTryIt } from '../../test/click-try-it.js'
import { startDemo } from './start-demo.js'

it('ends without a word about what someone was trying', { timeout: 120_000 }, async () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  const said: string[] = []
  const demo = await startDemo({ port: 0, host: '127.0.0.1', store: 'memory', say: line => said.push(line) })
  expect(await clickTryIt(demo.socketUrl)).toMatch(/^call-/)
  await demo.close()
  expect(said).toEqual(['Try it: calls clear_completed.'])
  expect(complaints).not.toHaveBeenCalled()
  complaints.mockRestore()
})
