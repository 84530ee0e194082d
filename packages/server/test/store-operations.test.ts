// What a durable ask costs is how often the store is asked: as many times on a fast machine as on a slow one.
import { expect, it } from 'vitest'
import { bounds, countOperations } from '../../../bench/durable/operations/count-operations.mjs'
import { digest } from '../src/crypto/digest.js'
import { answerJob } from '../src/server/answer-job.js'
import { createEngine } from '../src/server/engine.js'
import { rawToolResult } from '../src/server/results.js'
import { memoryStore } from '../src/store/index.js'

const internals = { answerJob, createEngine, digest, rawToolResult }

it.each([
  ['in rounds', 'rounds'],
  ['as a task, besides what its client looks at', 'tasks'],
  ['on a desk', 'desk'],
] as const)('asks once %s with few operations of a shared store', async (_, wire) => {
  const store = { ...memoryStore(), shared: true }
  const { own, forLooks, waits, byName } = await countOperations(wire, internals, store)
  expect(own, JSON.stringify(byName)).toBeLessThanOrEqual(bounds[wire])
  // An answer is in the log before anyone is told that it was taken, and so is the end.
  expect(byName.append).toBeGreaterThanOrEqual(2)
  // With the one lookup that finds a repeated call on the desk, and no other read.
  expect(waits).toBeLessThanOrEqual(4)
  expect([byName.get ?? 0, byName.read ?? 0]).toEqual([wire === 'desk' ? 1 : 0, 0])
  // The process that runs a task knows how it stands, also once it has ended.
  expect(forLooks).toBe(0)
})
