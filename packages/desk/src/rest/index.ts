export { AskIndex } from './asks/ask-index.js'
export type { RestResponse } from './exchange.js'
export { type ProblemStatus, problem } from './problem.js'
export { createRest, type Rest } from './rest.js'
