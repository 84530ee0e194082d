export { BeckonError, type ErrorCode } from './beckon-error.js'
export {
  AnswerInvalidError,
  AskExpiredError,
  CallCancelledError,
  ElicitationNotAvailableError,
  InvalidFormError,
  type Issue,
  ReplayMismatchError,
  SensitiveFieldError,
  StateRejectedError,
  UnauthorizedError,
} from './errors.js'
