// What the runtimes do not have in common. `#platform` is `node.ts` on Node, Bun and Deno, and `web.ts` where only web standards
// can be counted on, as on workerd: package.json says so, by condition, so that neither pays for the other.

/** Seals texts with one key: AES-256-CTR, then HMAC-SHA-256, each with a key made of it. */
export interface Cipher {
  /** The head, in clear and authenticated, the counter that the text begins with, the encrypted text and the tag, as base64url. */
  seal(head: Uint8Array, text: string): string
  /** @throws for bytes that were not sealed with this key, or were changed */
  open(sealed: Uint8Array, headBytes: number): string
}

/** What a value is, whatever it says of itself. */
export interface Kinds {
  isAnyArrayBuffer(value: unknown): value is ArrayBufferLike
  isDate(value: unknown): value is Date
  isMap(value: unknown): value is Map<unknown, unknown>
  isSet(value: unknown): value is Set<unknown>
}
