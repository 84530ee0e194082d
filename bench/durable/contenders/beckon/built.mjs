import { built } from '../../../built.mjs'

const { digest } = await built('server/dist/crypto/digest.js')
const { answerJob } = await built('server/dist/server/answer-job.js')
const { createEngine } = await built('server/dist/server/engine.js')
const { rawToolResult } = await built('server/dist/server/results.js')

/** @type {import('./door.mjs').Internals} */
export const internals = { answerJob, createEngine, digest, rawToolResult }
