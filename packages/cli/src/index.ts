export { type ExitCode, exitCodes } from './exit-codes.js'
export { run } from './run.js'
