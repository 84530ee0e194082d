// For those who write middleware that needs more than a function: what it is told when it is registered, and how it is listed.
export type { Middleware, MiddlewareFunction, MiddlewareHooks, Next, Registered } from './middleware.js'
