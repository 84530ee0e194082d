// For those who serve beside a server: what a host name reaches, and what a request of `node:http` shows of where it came from.
export { isLoopback } from '../runtime/loopback.js'
export { isForwarded, isFromThisMachine } from './from-this-machine.js'
