export { AppError, type AppErrorCode } from './app-error.js'
export {
  ActionTimeoutError,
  ConnectionClosedError,
  ProtocolMismatchError,
  SamplingDepthError,
  SamplingNotAvailableError,
} from './errors.js'
