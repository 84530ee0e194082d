/** @param {string} path of a built file */
const built = path => import(new URL(`../../../../packages/server/dist/${path}`, import.meta.url).href)
const { digest } = await built('crypto/digest.js')
const { answerJob } = await built('server/answer-job.js')
const { createEngine } = await built('server/engine.js')
const { rawToolResult } = await built('server/results.js')

/** @type {import('./door.mjs').Internals} */
export const internals = { answerJob, createEngine, digest, rawToolResult }
