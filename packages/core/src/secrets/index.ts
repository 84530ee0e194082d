export type { SensitiveKind } from './credential-words.js'
export { type FieldWords, looksSensitive, type SensitiveMatch } from './looks-sensitive.js'
