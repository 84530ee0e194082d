export { messageWith } from '../crypto/bound-message.js'
export { digest as digestOf } from '../crypto/digest.js'
export {
  type Receipt,
  type ReceiptBy,
  type Receipted,
  readReceipt,
  receiptOf,
  type ShownAsk,
  shownDigest,
} from './receipt.js'
export { type ReceiptJwk, type ReceiptJwks, ReceiptKeys, type ReceiptKeysOptions } from './receipt-keys.js'
export { type Receipts, receipts } from './receipts.js'
export { peekReceipt, type VerifiedReceipt, verifyReceipt } from './verify-receipt.js'
