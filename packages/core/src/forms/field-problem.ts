import { type Coded, type Sentences, sentenceOf } from '../errors/coded.js'
import type { TextFormat } from './form.js'

/** What a sentence about each problem is made of. Never the answer itself. */
export interface FieldProblemParams {
  required: null
  'text-expected': null
  'number-expected': null
  'integer-expected': null
  'boolean-expected': null
  'option-expected': null
  'options-expected': null
  'too-short': { readonly min: number }
  'too-long': { readonly max: number }
  'too-low': { readonly min: number }
  'too-high': { readonly max: number }
  'too-few': { readonly min: number }
  'too-many': { readonly max: number }
  format: { readonly format: TextFormat }
  'freeform-not-allowed': null
  /** Not written as an answer is: a fault of the program that sent it. */
  malformed: { readonly field: string; readonly expected: string }
}

/** What is wrong with the answer to a question, as a code with parameters. */
export type FieldProblem = Coded<FieldProblemParams>

const examples: Readonly<Record<TextFormat, string>> = {
  email: 'an e-mail address, such as name@example.com',
  uri: 'a full address, such as https://example.com',
  date: 'a date, such as 2026-07-28',
  'date-time': 'a date and time, such as 2026-07-28T09:30:00Z',
}

/** What is wrong with an answer, in English, for the person who gave it. */
export const englishFieldProblems: Sentences<FieldProblemParams> = {
  required: 'An answer is required.',
  'text-expected': 'Enter a text.',
  'number-expected': 'Enter a number.',
  'integer-expected': 'Enter a whole number.',
  'boolean-expected': 'Answer yes or no.',
  'option-expected': 'Choose one of the options.',
  'options-expected': 'Choose from the options.',
  'too-short': ({ min }) => `Enter at least ${count(min, 'character')}.`,
  'too-long': ({ max }) => `Enter at most ${count(max, 'character')}.`,
  'too-low': ({ min }) => `Enter ${min} or more.`,
  'too-high': ({ max }) => `Enter ${max} or less.`,
  'too-few': ({ min }) => `Choose at least ${count(min, 'option')}.`,
  'too-many': ({ max }) => `Choose at most ${count(max, 'option')}.`,
  format: ({ format }) => `Enter ${examples[format]}.`,
  'freeform-not-allowed': 'This question takes no answer in other words.',
  malformed: ({ field, expected }) => `In an answer, ${field} must be ${expected}.`,
}

/** What is wrong with an answer, as one sentence in English. */
export function describeFieldProblem(problem: FieldProblem): string {
  return sentenceOf(englishFieldProblems, problem)
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`
}
