// Sooner than this after a question was sent, nobody can have read it and answered. It is a floor and not an estimate: a person
// who is mistaken for a program is asked again elsewhere, so it stays well below what the fastest of them need.
//
// - Pressing a button as soon as something shows, with nothing to read or to choose, takes 231 ms on average (Woods et al. 2015,
//   1,469 adults, doi:10.3389/fnhum.2015.00131). Seeing whether it is what one waits for takes 384 (Laming 1968, as others cite it; the book was not at hand). An ask has to be
//   recognised and chosen about: nothing counts before 250, above the one average and far enough below the other for the fastest.
// - Silent reading is 238 words a minute on average, 175 to 300 for most adults (Brysbaert 2019, 190 studies,
//   doi:10.1016/j.jml.2019.104047), and 1,000 are out of reach (Rayner et al. 2016, doi:10.1177/1529100615623267, as Brysbaert sums it up): 10 ms a
//   character, with the space between words. A person who has seen the question before does not read all of it, so a
//   character counts as 4.
// - A person may answer a long text by its first line: the floor stops at a second.
//
// Clients that answer by themselves do it within 15 to 75 ms.
import type { Ask, PersonAsk } from '../call/ask.js'
import { messageWith } from '../crypto/bound-message.js'

const reactionMs = 250
const msPerCharacter = 4
const maxFloorMs = 1_000

/** How long a person needs at the very least for an ask; undefined for one that is not for a person. */
export function readingFloorMs(ask: Ask): number | undefined {
  if (ask.kind === 'sample' || ask.kind === 'roots') return undefined
  return Math.min(maxFloorMs, reactionMs + msPerCharacter * charactersOf(ask))
}

function charactersOf(ask: PersonAsk): number {
  const message = messageWith(ask.message, ask.show)
  // A web address is looked at, not read.
  if (ask.kind !== 'form') return message.length
  let characters = message.length
  for (const [name, { title = name, description = '' }] of Object.entries(ask.form.properties))
    characters += title.length + description.length
  return characters
}
