export type { RestReply, RestRequest, RestResponse } from './exchange.js'
export { invalidRequest, later, problem } from './problem.js'
export { createRest, type Rest } from './rest.js'
