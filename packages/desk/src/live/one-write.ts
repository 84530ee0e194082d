// What a socket is sent in one turn of the event loop leaves in one write: an ask is told in a handful of frames, and each
// would cost a call of the operating system.

/** The transport below a socket, which can hold back what is written. */
export interface Corked {
  cork(): void
  uncork(): void
}

let held = new Set<Corked>()

/** Holds back what is written to a transport until this turn is over. */
export function inOneWrite(transport: Corked): void {
  if (held.has(transport)) return
  if (held.size === 0) setImmediate(release)
  held.add(transport)
  transport.cork()
}

function release(): void {
  const transports = held
  held = new Set()
  for (const transport of transports) transport.uncork()
}
