import { channelsOf } from './channels.js'
import { SessionRecord } from './session-record.js'

/** A session that has just begun. */
export function createRecord(
  id: string,
  { title, server, isCall }: { title: string; server: string; isCall?: true },
  at: number,
): SessionRecord {
  const { session, chat } = channelsOf(id)
  const modifiedAt = new Date(at).toISOString()
  return new SessionRecord({
    id,
    title,
    server,
    ...(isCall && { isCall }),
    older: {
      summary: { resource: session, provider: server, title, status: 1, createdAt: at, modifiedAt: at },
      lifecycle: 'ready',
      turns: [],
    },
    chat: { resource: chat, title, status: 1, modifiedAt, turns: [] },
    summary: {
      provider: server,
      title,
      status: 1,
      lifecycle: 'ready',
      chats: [{ resource: chat, title, status: 1, modifiedAt }],
      activeClients: [],
    },
  })
}
