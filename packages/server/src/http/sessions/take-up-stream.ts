import type { HttpResponse } from '../exchange/exchange.js'
import { decodeEventId } from './event-id.js'
import { refuseEventId, refuseFailure } from './replies.js'
import type { SessionStreams } from './session-streams.js'
import type { SharedSession } from './shared/shared-session.js'

/** Takes up the stream of an event for a client that came back, on whichever node that stream is. */
export function takeUpStream(
  response: HttpResponse,
  lastEventId: string,
  { streams, shared }: { readonly streams: SessionStreams; readonly shared: SharedSession | undefined },
): void {
  const event = decodeEventId(lastEventId)
  const isHere = event !== undefined && event.node === shared?.node
  const stream = isHere ? streams.get(event.stream) : undefined
  if (isHere && stream?.gave(event.number)) stream.resume(response, event.number)
  else if (isHere || event?.node === undefined || shared === undefined) refuseEventId(response)
  else shared.resume(response, lastEventId, event).catch(error => refuseFailure(response, error))
}
