// What was typed before a question showed was not meant for it: a letter would move to "Yes", and the Enter of a person who then reads
// the question would agree. So it is read and dropped before every prompt.
import { setTimeout as delay } from 'node:timers/promises'

/** What the terminal holds is there with the first look; a key that was held down repeats within this. */
const drainMs = 20
const ctrlC = '\u0003'

/** Drops what was typed and nobody has read yet; Ctrl-C does what it does outside of a question. */
export async function dropTyped(): Promise<void> {
  const { stdin } = process
  const drop = (typed: Buffer | string) => {
    if (typed.includes(ctrlC)) process.kill(process.pid, 'SIGINT')
  }
  // A line that has not been ended is only handed over without line editing.
  stdin.setRawMode(true)
  stdin.on('data', drop).resume()
  await delay(drainMs)
  stdin.off('data', drop).pause()
  stdin.setRawMode(false)
}
