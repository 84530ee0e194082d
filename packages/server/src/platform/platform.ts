// What the runtimes do not have in common. `#platform` is `node.ts` on Node, Bun and Deno, and `web.ts` where only web standards
// can be counted on, as on workerd: package.json says so, by condition, so that neither pays for the other.

/** Seals texts with one key. */
export interface Cipher {
  /** The head, the nonce, the sealed text and its tag, one after the other, as base64url. */
  seal(head: Uint8Array, nonce: Uint8Array, text: string): string
  /** @throws for a text that was not sealed with this key, or was changed */
  open(nonce: Uint8Array, sealedAndTag: Uint8Array): string
}

/** What a value is, whatever it says of itself. */
export interface Kinds {
  isAnyArrayBuffer(value: unknown): value is ArrayBufferLike
  isDate(value: unknown): value is Date
  isMap(value: unknown): value is Map<unknown, unknown>
  isSet(value: unknown): value is Set<unknown>
}
