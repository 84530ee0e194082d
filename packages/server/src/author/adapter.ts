// For those who write middleware that needs more than a function: what it is told when it is registered, how it is listed, and
// what it can know of a call.
export type { ExternalWait, WaitOptions, Waits } from '../waits/waits.js'
export { type CallInternals, callInternals, type RunningCall } from './call-internals.js'
export type { Middleware, MiddlewareFunction, MiddlewareHooks, Next, Registered } from './middleware.js'
export { refuse } from './refuse.js'
