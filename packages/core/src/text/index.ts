export { replaceActing } from './acting.js'
export { escapeActing } from './escape-acting.js'
export { visible } from './visible.js'
