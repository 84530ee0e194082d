export { bestMatches } from '../author/best-matches.js'
export { choicePage } from './choice-page.js'
