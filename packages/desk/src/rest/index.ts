export type { RestReply, RestRequest, RestResponse } from './exchange.js'
export { invalidRequest, problem } from './problem.js'
export { createRest, type Rest } from './rest.js'
