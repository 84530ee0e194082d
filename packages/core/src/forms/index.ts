export { askAgain, type Refused } from './ask-again.js'
export { type AskSteps, askUntilValid, type ValidatedAsk } from './ask-until-valid.js'
export { type Checked, checkContent } from './check-content.js'
export { jsonSchemaOf } from './describe-schema.js'
export {
  describeFieldProblem,
  englishFieldProblems,
  type FieldProblem,
  type FieldProblemParams,
} from './field-problem.js'
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  Field,
  Form,
  NumberField,
  TextField,
  TextFormat,
  TitledChoice,
} from './form.js'
export { type FormOptions, formOf } from './form-of.js'
export { lowerForm, type Revision, raiseContent } from './lower-form.js'
export { parseAnswer } from './parse-answer.js'
export { prefill } from './prefill.js'
export { type AnswerOf, type AskSchema, type FormSchema, isStandardSchema, type Shorthand } from './schema.js'
