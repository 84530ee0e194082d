const firstMs = 20
const maxMs = 5_000

/** How long to wait before trying again, after so many failures: longer each time, and not the same for every node. */
export function backOff(failures: number, random: () => number = Math.random): number {
  const most = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 20))
  return most / 2 + (most / 2) * random()
}
