// Threat: a server that answers without end, until this process has no memory left. A stream of events may be long; each
// of its lines, and any other answer, has to end.

const maxBytes = 64 * 1024 * 1024
const newline = 10

/** `fetch`, for answers of a size that a server can mean. */
export async function limitedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.body === null) return response
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const end = isStream ? chunk.lastIndexOf(newline) : -1
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end - 1
      if (bytes > maxBytes) controller.error(new Error(`The server sent more than ${maxBytes} bytes at once.`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers })
}
