export { isRecord } from '../collections/record.js'
export { hasInfiniteNumber } from './infinite-number.js'
export {
  decodeMessage,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  type Message,
  type Params,
  type RequestId,
  type RpcResponse,
} from './message.js'
export { isNestedTooDeeply } from './nesting.js'
export { errorCodes, RpcError } from './rpc-error.js'
export { type RequestOptions, RpcPeer, type RpcPeerOptions } from './rpc-peer.js'
