export { AppError, type AppErrorKind } from './app-error.js'
export {
  ActionTimeoutError,
  ConnectionClosedError,
  ProtocolMismatchError,
  SamplingDepthError,
  SamplingNotAvailableError,
} from './errors.js'
