// For those who serve beside a server: what a request of `node:http` shows of where it came from.
export { isForwarded, isFromThisMachine } from './from-this-machine.js'
