import { usageError } from '../cli-error.js'

/** Where a tool's result has the receipts of what it asked. */
const resultKey = 'beckon/receipts'

type Fields = Readonly<Record<string, unknown>>

/** The receipts in a file: one as it is, a list of them, or those of a tool's result or of an entry of the audit. */
export function receiptsIn(text: string): string[] {
  const trimmed = text.trim()
  if (!/^["[{]/.test(trimmed)) return trimmed === '' ? [] : [trimmed]
  try {
    return found(JSON.parse(trimmed))
  } catch {
    throw usageError('The file has neither a receipt nor JSON with one.')
  }
}

function found(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(found)
  if (typeof value !== 'object' || value === null) return []
  const { receipt, _meta, result } = value as Fields
  const listed = typeof _meta === 'object' && _meta !== null ? (_meta as Fields)[resultKey] : undefined
  return [receipt, listed, result].flatMap(one => (one === undefined ? [] : found(one)))
}
