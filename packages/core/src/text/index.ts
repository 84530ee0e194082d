export { actingCharacters, replaceActing } from './acting.js'
export { escapeActing } from './escape-acting.js'
export { plainName } from './plain-name.js'
export { stackedMarks, visible } from './visible.js'
