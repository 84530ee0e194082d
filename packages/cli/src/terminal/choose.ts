// One of a few, by the arrows or by a letter. A letter moves and does not decide, so that "y" and Enter mean the same as
// they do anywhere, and an Enter out of habit never answers the question that comes next.
import { select } from '@clack/prompts'
import { given, promptFor } from './screen.js'

export interface Choice<T> {
  readonly value: T
  readonly label: string
  readonly hint?: string
  /** The letter that leads to it. */
  readonly letter: string
}

export interface ChooseOptions<T> {
  readonly message: string
  readonly choices: readonly Choice<T>[]
  /** What Enter alone means. */
  readonly initial: T
  readonly signal: AbortSignal
}

/** What a person chose; undefined when they left, or the ask was withdrawn. */
export async function choose<T>({ message, choices, initial, signal }: ChooseOptions<T>): Promise<T | undefined> {
  const prompt = await promptFor(signal)
  const stop = followLetters(
    choices.map(({ letter }) => letter),
    choices.findIndex(({ value }) => value === initial),
  )
  // Options are chosen by their place: the prompt takes values of few types.
  const options = choices.map(({ label, letter, hint }, place) => ({
    value: place,
    label,
    hint: [letter, hint].filter(Boolean).join(', '),
  }))
  const initialValue = choices.findIndex(({ value }) => value === initial)
  try {
    const place = given(await select({ ...prompt, message, options, initialValue }))
    return place === undefined ? undefined : choices[place]?.value
  } finally {
    stop()
  }
}

const steps: Readonly<Record<string, number>> = { up: -1, left: -1, k: -1, h: -1, down: 1, right: 1, j: 1, l: 1 }

/** Presses "down" for a person who typed a letter until the prompt is there; it goes round, and so does this. */
function followLetters(letters: readonly string[], start: number): () => void {
  const { stdin } = process
  let place = start
  const onKey = (typed: string | undefined, { name = '' }: { name?: string }): void => {
    const wanted = letters.indexOf(typed?.toLowerCase() ?? '')
    if (wanted === -1) place = (place + (steps[name] ?? 0) + letters.length) % letters.length
    while (wanted !== -1 && place !== wanted) stdin.emit('keypress', undefined, { name: 'down' })
  }
  stdin.on('keypress', onKey)
  return () => void stdin.off('keypress', onKey)
}
