export { describeRefusal, englishRefusals } from './english.js'
export type { Refusal, RefusalCode, RefusalParams, Rejection, RejectionParams } from './refusal.js'
