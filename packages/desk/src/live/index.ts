export { createLive, type Live } from './create-live.js'
export { socketOptions } from './limits.js'
