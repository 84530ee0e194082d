export { BeckonError, type ErrorKind } from './beckon-error.js'
export { type AnyCoded, type Coded, type Sentences, sentenceOf } from './coded.js'
export {
  AnswerInvalidError,
  AskExpiredError,
  CallCancelledError,
  ElicitationNotAvailableError,
  InvalidFormError,
  ReplayMismatchError,
  SensitiveFieldError,
  StateRejectedError,
  UnauthorizedError,
} from './errors.js'
export { type Issue, inWords } from './issue.js'
