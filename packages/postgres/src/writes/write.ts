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
    }
  | { readonly kind: 'erase'; readonly name: string }

/** The texts that a write brings along. */
export function contentsOf(write: Write): readonly string[] {
  if (write.kind === 'append') return write.values
  return write.kind === 'set' || write.kind === 'compareAndSet' ? [write.value] : []
}
