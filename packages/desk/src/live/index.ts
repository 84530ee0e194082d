export { createLive, type Live } from './create-live.js'
