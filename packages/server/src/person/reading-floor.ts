// Sooner than this after a question was sent, nobody can have read it and answered. It is a floor and not an estimate: a person
// who is mistaken for a program is asked again elsewhere, so it stays well below what the fastest of them need.
//
// - Seeing that something is there and pressing a button takes practised adults 200 to 250 ms, the very fastest some 150; a
//   choice between two buttons takes longer, and recognising a single word before that longer still: the fastest answers in
//   published word recognition tasks come after about 300 ms, the usual ones after 500 to 700. So nothing counts before 250.
// - Silent reading is 238 words a minute on average, and 350 is fast (Brysbaert 2019, 190 studies). A person who has seen the
//   question before does not read all of it, so each character counts as 4 ms: 3,000 words a minute, which nobody reads.
// - A person may answer a long text by its first line: the floor stops at a second.
//
// Clients that answer by themselves do it within 15 to 75 ms.
import type { Ask } from '../call/ask.js'

const reactionMs = 250
const msPerCharacter = 4
const maxFloorMs = 1_000

/** How long a person needs at the very least for an ask; undefined for one that is not for a person. */
export function readingFloorMs(ask: Ask): number | undefined {
  if (ask.kind === 'sample' || ask.kind === 'roots') return undefined
  return Math.min(maxFloorMs, reactionMs + msPerCharacter * charactersOf(ask))
}

function charactersOf(ask: Extract<Ask, { message: string }>): number {
  const { message } = ask
  // A web address is looked at, not read.
  if (ask.kind !== 'form') return message.length
  let characters = message.length
  for (const [name, { title = name, description = '' }] of Object.entries(ask.form.properties))
    characters += title.length + description.length
  return characters
}
