export type { InputRequest } from '../request.js'
export type { AsksAction } from './actions.js'
export { reduceAsks } from './reduce.js'
export type { AskEnding, AskEntry, AsksState } from './state.js'
