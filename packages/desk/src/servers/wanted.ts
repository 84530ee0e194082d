import { type Form, formOf, inspectUrl } from '@beckon/core'
import type { DeskPlace } from 'beckon/desk/adapter'
import { isSessionName } from '../turns/decisions.js'

/** A session has a prefix before it. */
const maxCallChars = 190

type Ask = Parameters<DeskPlace['ask']>[1]

/** A call that a server elsewhere wants attended. */
export interface WantedCall {
  readonly tool: string
  readonly input: unknown
  readonly principal: string | undefined
  readonly destructive: boolean
}

/** An ask that a server elsewhere wants put. */
export interface WantedAsk {
  readonly ask: Ask
  readonly expiresAt: number
}

/** Whether a session can be named after a call: it is in addresses, and in names of the store, which are short. */
export function isCallId(id: string): boolean {
  return id.length <= maxCallChars && isSessionName(id)
}

/** Reads what a server sent; undefined when it is nothing that can be done. */
export function readCall(body: unknown): WantedCall | undefined {
  if (!isRecord(body) || typeof body.tool !== 'string') return undefined
  const { tool, input, principal, destructive } = body
  if (principal !== undefined && typeof principal !== 'string') return undefined
  return { tool, input, principal, destructive: destructive === true }
}

/** @throws InvalidFormError for a form that cannot be put */
export function readAsk(body: unknown): WantedAsk | undefined {
  if (!isRecord(body) || !isRecord(body.ask) || !Number.isFinite(body.expiresAt)) return undefined
  const ask = askIn(body.ask)
  return ask && { ask, expiresAt: Number(body.expiresAt) }
}

function askIn({ kind, message, asker, form, url, elicitationId }: Record<string, unknown>): Ask | undefined {
  if (typeof message !== 'string') return undefined
  const words = { message, ...(typeof asker === 'string' && { asker }) }
  switch (kind) {
    case 'confirm':
      return { kind, ...words }
    case 'form': {
      if (!isRecord(form)) return undefined
      // What a server may put, and no more: it is checked as an author's would be.
      const checked: Form = formOf(form as { type: 'object' }, {
        allow: Object.keys(isRecord(form.properties) ? form.properties : {}),
      })
      return { kind, ...words, form: checked }
    }
    case 'url': {
      if (typeof url !== 'string' || typeof elicitationId !== 'string') return undefined
      return inspectUrl(url, { allowHttp: true }).kind === 'refused'
        ? undefined
        : { kind, ...words, url, elicitationId }
    }
    default:
      return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
