/** Something that is to be written, with everything encoded. */
export type Write =
  | { readonly kind: 'set'; readonly name: string; readonly value: string; readonly expiresAt: number | undefined }
  | {
      readonly kind: 'compareAndSet'
      readonly name: string
      /** Undefined for a key that has to be absent. */
      readonly expected: string | undefined
      readonly value: string
      readonly expiresAt: number | undefined
    }
  | { readonly kind: 'delete'; readonly name: string }
  | {
      readonly kind: 'append'
      readonly name: string
      readonly expected: number | undefined
      readonly values: readonly string[]
      readonly expiresAt: number | undefined
      /** What changes in sets when the append takes place. */
      readonly names: readonly SetWrite[]
    }
  | { readonly kind: 'trim'; readonly name: string; readonly upTo: number }
  | { readonly kind: 'erase'; readonly name: string }
  | SetWrite

/** A change of a set. */
export type SetWrite =
  | {
      readonly kind: 'put'
      readonly name: string
      readonly member: string
      readonly score: number
      readonly expected: 'absent' | number | undefined
      readonly expiresAt: number | undefined
    }
  | { readonly kind: 'remove'; readonly name: string; readonly member: string; readonly expected: number | undefined }

/** The table that has the row of what is written. */
export function areaOf({ kind }: Write): 'key' | 'log' | 'set' {
  if (kind === 'put' || kind === 'remove') return 'set'
  return kind === 'append' || kind === 'trim' || kind === 'erase' ? 'log' : 'key'
}

/** The texts that a write brings along. */
export function contentsOf(write: Write): readonly string[] {
  if (write.kind === 'append') return write.values
  if (write.kind === 'put' || write.kind === 'remove') return [write.member]
  return write.kind === 'set' || write.kind === 'compareAndSet' ? [write.value] : []
}
