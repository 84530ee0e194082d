import { Person, type Seen } from '../../packages/host/test/person.js'
import type { Said } from './story.js'

const kinds: Readonly<Record<string, string>> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  'single-select': 'selected',
  'multi-select': 'selected-many',
}

/** Somebody at a desk who says these things, and agrees to every page. The result sends them home. */
export async function answerOnDesk(socketUrl: string, said: Said): Promise<() => void> {
  const person = await Person.at(socketUrl)
  void answerAll(person, said)
  return () => person.close()
}

async function answerAll(person: Person, said: Said): Promise<never> {
  for (;;) {
    const seen = await person.next()
    const { url } = seen.request
    if (url === undefined) await answer(person, seen, said.answers.shift())
    else if (said.answers.length > 0) await answer(person, seen, said.answers.shift())
    // While they are there, other asks may come.
    else void said.open(url).then(() => person.accept(seen))
  }
}

async function answer(person: Person, seen: Seen, said: Said['answers'][number] | undefined): Promise<void> {
  if (said === 'decline') await person.decline(seen)
  else if (said === 'cancel') await person.cancel(seen)
  else if (said !== undefined) await person.accept(seen, answersTo(seen, said))
}

/** What is said, question by question. */
function answersTo({ request: { questions = [] } }: Seen, said: unknown): Record<string, unknown> {
  const content = typeof said === 'object' && said !== null ? said : { value: said }
  const given = new Map<unknown, unknown>(Object.entries(content))
  return Object.fromEntries(
    questions.flatMap(({ id, kind }) =>
      given.has(id) ? [[id, { kind: kinds[String(kind)], value: given.get(id) }]] : [],
    ),
  )
}
