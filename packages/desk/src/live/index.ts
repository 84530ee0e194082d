export { createLive, type Live, type LiveOptions } from './create-live.js'
export { type LiveLimits, type Rate, socketOptions } from './limits.js'
