// Forms for a client of 2025-06-18, which knows neither lists to choose from nor titles as later revisions write them. What it
// answers is put together again as the server asked for it.
import { type Form, formOf, lowerForm, raiseContent } from '@beckon/core'
import { type Fields, fields } from '../fields.js'
import type { Asker } from './running.js'

const revision = '2025-06-18'

/** Stands for the server, which validates what it gets back. */
const validatedElsewhere = {
  '~standard': { version: 1, vendor: 'beckon-proxy', validate: (value: unknown) => ({ value }) },
} as const

/** Puts forms to a client as its version knows them. */
export function asVersionKnows(version: string | undefined, ask: Asker): Asker {
  if (version !== revision) return ask
  return async (method, params, signal) => {
    const form = method === 'elicitation/create' ? formIn(params) : undefined
    if (form === undefined) return ask(method, params, signal)
    const { mode: _, ...words } = params
    const result = await ask(method, { ...words, requestedSchema: lowerForm(form, revision) }, signal)
    return result.action === 'accept' ? { ...result, content: raiseContent(form, result.content, revision) } : result
  }
}

/** Undefined for what is no form, or one that the protocol does not have: it goes on as it came. */
function formIn({ requestedSchema }: Fields): Form | undefined {
  try {
    const allow = Object.keys(fields(fields(requestedSchema).properties))
    return formOf(validatedElsewhere, { jsonSchema: fields(requestedSchema), allow })
  } catch {
    return undefined
  }
}
