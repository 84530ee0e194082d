// What a turn can ask: what `ctx.elicit` takes, or a request with questions as the live protocol has it.
import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type AskSchema,
  answersOf,
  type Form,
  formOf,
  prefill,
  type Question,
  questionsOf,
} from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'

/** A yes or no. */
export interface ConfirmRequest {
  readonly question: string
  readonly schema?: undefined
}

/** A form, from any schema that `ctx.elicit` takes. */
export interface FormRequest<S extends AskSchema = AskSchema> {
  readonly question: string
  readonly schema: S
  readonly jsonSchema?: object | undefined
  readonly initial?: unknown
  readonly allow?: readonly string[] | undefined
  /** How often an answer that does not fit is asked for again. */
  readonly attempts?: number | undefined
}

/** A request as the live protocol has it: several questions, a page to visit, or neither. Other keys are kept. */
export interface LiveRequest {
  /** The same id again is the same ask: it is not put twice. */
  readonly id?: string
  readonly message: string
  readonly url?: string
  readonly questions?: readonly Question[]
  readonly answers?: Readonly<Record<string, Answer>>
  readonly [key: string]: unknown
}

export type AskRequest = ConfirmRequest | FormRequest | LiveRequest

/** A request as it is put on the desk. */
export function inputRequest(request: AskRequest): InputRequest {
  if ('message' in request) return { ...request, id: request.id ?? randomUUID() } as InputRequest
  const { question: message, schema } = request
  const id = randomUUID()
  if (schema === undefined) return { id, message }
  const { jsonSchema, allow, initial } = request
  const plain = formOf(schema, { ...(jsonSchema && { jsonSchema }), ...(allow && { allow }) })
  const form = initial === undefined ? plain : prefill(plain, isRecord(initial) ? initial : { value: initial })
  const answers = answersOf(form, choicesPreset(form), 'draft')
  return { id, message, questions: questionsOf(form), ...(Object.keys(answers).length > 0 && { answers }) }
}

/** The defaults of selects, which a question has no place for: they are there as drafts. */
function choicesPreset(form: Form): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(form.properties).flatMap(([name, field]) => {
      const isSelect = field.type === 'array' || 'enum' in field || 'oneOf' in field
      // A select's default is a choice, or several.
      return isSelect && field.default !== undefined ? [[name, field.default as string | string[]]] : []
    }),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
