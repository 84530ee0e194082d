import { expect, it, vi } from 'vitest'
import { clickTryIt } from '../../test/click-try-it.js'
import { openInbox } from '../../test/inbox-person.js'
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

it('lets one person be two, for a call that takes two', { timeout: 120_000 }, async () => {
  const said: string[] = []
  const demo = await startDemo({ port: 0, host: '127.0.0.1', store: 'memory', say: line => said.push(line) })
  try {
    const [ada, grace] = [await openInbox(demo.link), await openInbox(demo.newSecondLink())]
    for (const _ of ['clear_completed', 'plan_trip', 'publish_post']) await clickTryIt(demo.socketUrl)
    await ada.answer('Publish', { action: 'accept' })
    // One of them is not two, however often.
    expect(await grace.sees('Publish')).toMatchObject({ tool: 'publish_post' })
    await grace.answer('Publish', { action: 'accept' })
    await vi.waitFor(() => expect(said.join(' ')).toContain('publish_post said: The post is out.'), 60_000)
    // Each name has links of its own: Grace's is good for nobody else.
    const stolen = new URL(demo.newSecondLink())
    stolen.hostname = '127.0.0.1'
    expect((await fetch(stolen, { redirect: 'manual' })).status).toBe(401)
  } finally {
    await demo.close()
  }
})
