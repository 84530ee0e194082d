// Tokens that several processes share are refreshed by one of them at a time: on a file, as processes have it.
import { it } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { dieWhileRefreshing } from '../../server/test/oauth/dead-process.js'
import { createTestFile } from './file.js'

it.each([
  ['had no answer yet', false],
  ['had used up the refresh token', true],
])(
  'a process that dies while it refreshes, and %s, holds up the others for its lease and no longer',
  async (_when, hasRotated) => {
    const file = await createTestFile()
    const clock = new FakeClock()
    try {
      await dieWhileRefreshing(() => file.open({ clock }), clock, hasRotated)
    } finally {
      await file.remove()
    }
  },
  120_000,
)
