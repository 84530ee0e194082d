// For those who write a desk, or reach one elsewhere: what a server opens its asks on.
export type { AskDesk, DeskCall, DeskPlace } from './desk.js'
export { type RemoteDeskOptions, remoteDeskFrom } from './remote-desk/remote-desk.js'
