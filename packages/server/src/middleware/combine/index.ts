export { every } from './every.js'
export { type Exception, except } from './except.js'
export { some } from './some.js'
