export type { Brand } from './brand.js'
export { type Html, html } from './html.js'
export { createPages, type Pages } from './pages.js'
export { type Browser, browserOf } from './same-browser.js'
