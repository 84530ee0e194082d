import { afterAll, afterEach, vi } from 'vitest'
import { endFile, endTest } from './every-file.js'

afterEach(endTest)
afterAll(async () => {
  await endFile()
  // What a file forgot to take back would hold in the next.
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})
