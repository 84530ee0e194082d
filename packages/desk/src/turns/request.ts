// What a turn can ask: what `ctx.elicit` takes, or a request with questions as the live protocol has it.
import { randomUUID } from 'node:crypto'
import { type Answer, type AskSchema, draftsOf, type Form, type Question, questionsOf } from '@beckon/core'
import { type Block, checkBlocks, showMeta } from '@beckon/core/blocks'
import type { InputRequest } from '@beckon/core/chat'

/** A yes or no. */
export interface ConfirmRequest {
  /** The same id again is the same ask: it is not opened twice. */
  readonly id?: string
  readonly question: string
  /** What is shown beside it. */
  readonly show?: readonly Block[] | undefined
  readonly schema?: undefined
}

/** A form, from any schema that `ctx.elicit` takes. */
export interface FormRequest<S extends AskSchema = AskSchema> {
  /** As of a confirm. When an answer is asked for again, `.2` and so on follows. */
  readonly id?: string
  readonly question: string
  /** What is shown beside it. */
  readonly show?: readonly Block[] | undefined
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

/** A request without a schema, as it is opened on the desk. */
export function inputRequest(request: ConfirmRequest | LiveRequest): InputRequest {
  if ('message' in request) return { ...request, id: request.id ?? randomUUID() } as InputRequest
  return { id: request.id ?? randomUUID(), message: request.question, ...shown(request) }
}

/** A form as it is opened on the desk. */
export function formRequest(
  id: string,
  { question, form }: { question: string; form: Form },
  request: Pick<FormRequest, 'show'>,
): InputRequest {
  return { id, message: question, ...questionsWithDrafts(form), ...shown(request) }
}

function shown({ show = [] }: { readonly show?: readonly Block[] | undefined }): Pick<InputRequest, '_meta'> {
  const checked = checkBlocks(show)
  if ('problem' in checked) throw new TypeError(checked.problem)
  return checked.blocks.length > 0 ? { _meta: { [showMeta]: checked.blocks } } : {}
}

/** The questions of a form, and what its selects start with: a question has no place for that. */
export function questionsWithDrafts(form: Form): Pick<InputRequest, 'questions' | 'answers'> {
  const answers = draftsOf(form)
  return { questions: questionsOf(form), ...(Object.keys(answers).length > 0 && { answers }) }
}
