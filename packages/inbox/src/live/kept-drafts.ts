// Drafts that the desk has not confirmed, kept in the browser so that neither a reload nor a desk that is away loses
// them. One entry a question, so that two tabs do not overwrite each other's; gone as soon as the desk has it.
import type { Answer } from '@beckon/core'
import { type Mirror, type Pending, pendingOf } from './mirror.js'

/** Whose drafts, and on which desk. */
export interface Owner {
  readonly url: string
  readonly principal: string
}

export interface KeptDraft {
  readonly session: string
  readonly requestId: string
  readonly questionId: string
  readonly answer: Answer
}

const prefix = 'beckon/draft'

export function keepDraft(owner: Owner, draft: KeptDraft): void {
  // A browser may refuse to keep anything; then a draft lives as long as its page.
  try {
    localStorage.setItem(nameOf(owner, draft), JSON.stringify(draft.answer))
  } catch {}
}

export function forgetDraft(owner: Owner, draft: Omit<KeptDraft, 'answer'>): void {
  try {
    localStorage.removeItem(nameOf(owner, draft))
  } catch {}
}

/** All of them: on every page of this browser, which is where they are kept together. */
export function forgetDrafts(owner: Owner): void {
  for (const draft of keptDrafts(owner)) forgetDraft(owner, draft)
}

/** A draft that the desk has, or will not have, needs not be kept, unless a later one is on its way. */
export function forgetSettled(owner: Owner, { session, requestId, action }: Pending, left: Mirror): void {
  if (action.kind !== 'draft') return
  const { questionId } = action
  const isLast = !pendingOf(left, session, requestId).some(
    ({ action }) => action.kind === 'draft' && action.questionId === questionId,
  )
  if (isLast) forgetDraft(owner, { session, requestId, questionId })
}

/** Every draft that is kept for someone. */
export function keptDrafts({ url, principal }: Owner): KeptDraft[] {
  try {
    return Object.keys(localStorage).flatMap(name => {
      if (!name.startsWith(`${prefix}[`)) return []
      const [ownUrl, owner, session, requestId, questionId] = JSON.parse(name.slice(prefix.length))
      if (ownUrl !== url || owner !== principal) return []
      return [{ session, requestId, questionId, answer: JSON.parse(localStorage.getItem(name) ?? 'null') }]
    })
  } catch {
    return []
  }
}

function nameOf({ url, principal }: Owner, { session, requestId, questionId }: Omit<KeptDraft, 'answer'>): string {
  return prefix + JSON.stringify([url, principal, session, requestId, questionId])
}
