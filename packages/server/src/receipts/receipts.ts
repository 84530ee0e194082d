import { ReceiptKeys, type ReceiptKeysOptions } from './receipt-keys.js'

/** Signed statements of who answered what, for a server or a desk that is given this. */
export interface Receipts {
  /** For the server or desk itself: what signs, with the keys in its store. */
  open(options: ReceiptKeysOptions): ReceiptKeys
}

/**
 * Has a server or a desk sign what people answer.
 * @example
 * const server = createServer({ name: 'shop', version: '1.0.0', receipts: receipts() })
 */
export function receipts(): Receipts {
  return { open: options => new ReceiptKeys(options) }
}
