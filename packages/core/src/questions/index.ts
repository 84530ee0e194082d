export { checkAnswer } from './check-answer.js'
export { type Answers, answersOf, contentOf, draftsOf } from './content-of.js'
export type {
  Answer,
  BooleanQuestion,
  MultiSelectQuestion,
  NumberQuestion,
  Option,
  Question,
  SingleSelectQuestion,
  TextQuestion,
  Value,
} from './question.js'
export { questionsOf } from './questions-of.js'
