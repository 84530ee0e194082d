import type { AskIndex } from '../index/ask-index.js'
import type { Ask, Session } from '../model/session.js'
import type { Sessions } from './sessions.js'

/** So many names are read at once, and their sessions. */
const pageNames = 200

/** Every open ask of a desk, no matter who is asked, newest first; of more than `upTo`, those that something is to be done about first. */
export async function allOpenAsks(
  { index, sessions }: { readonly index: AskIndex; readonly sessions: Pick<Sessions, 'load'> },
  upTo: number,
): Promise<{ readonly asks: readonly { readonly session: Session; readonly ask: Ask }[]; readonly hasMore: boolean }> {
  const found: { session: Session; ask: Ask }[] = []
  for await (const names of index.due(Number.MAX_SAFE_INTEGER, pageNames)) {
    if (found.length >= upTo) break
    const ids = [...new Set(names.map(({ session }) => session))]
    const loaded = new Map(await Promise.all(ids.map(async id => [id, await sessions.load(id)] as const)))
    for (const { session: id, instance } of names) {
      const session = loaded.get(id)
      const ask = [...(session?.open.values() ?? [])].find(one => one.instance === instance)
      if (session !== undefined && ask !== undefined) found.push({ session, ask })
    }
  }
  const asks = found.slice(0, upTo).sort((a, b) => b.ask.askedAt - a.ask.askedAt)
  return { asks, hasMore: found.length > upTo || (await index.countAll(upTo + 1)) > upTo }
}
