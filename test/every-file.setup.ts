import { context, metrics, propagation, trace } from '@opentelemetry/api'
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
  for (const api of [trace, metrics, context, propagation]) api.disable()
})
