export { replaceActing } from './acting.js'
export { escapeActing } from './escape-acting.js'
export { plainName } from './plain-name.js'
export { visible } from './visible.js'
