export type { InputRequest } from '../request.js'
export type { AsksAction } from './actions.js'
export { reduceAsks } from './reduce.js'
export type { AskApproval, AskAudience, AskComment, AskEnding, AskEntry, AskReport, AsksState } from './state.js'
