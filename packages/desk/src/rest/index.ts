export type { RestRequest, RestResponse } from './exchange.js'
export { problem } from './problem.js'
export { createRest, type Rest } from './rest.js'
