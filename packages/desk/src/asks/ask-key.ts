/** Names one ask among all of a desk: its id is its own within its session only. */
export function askKey(session: string, request: string): string {
  return JSON.stringify([session, request])
}
