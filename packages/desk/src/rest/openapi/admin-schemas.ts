// What admins send and get. The routes are in `admin/`.
import { exactly, listOf, object, ref, type Schema } from './shapes.js'

const text = { type: 'string' } as const
const time = { type: 'integer', description: 'Milliseconds since 1970.' } as const
const count = { type: 'integer', minimum: 0 } as const
const token = { id: text, server: text, createdAt: time }

export const adminSchemas: Readonly<Record<string, Schema>> = {
  Admin: object({ principal: text }),
  People: object({ people: listOf(object({ principal: text, seenAt: time })) }, { nextCursor: text }),
  PersonExport: object(
    {
      principal: text,
      kept: { type: 'object', description: 'By part: sessions, passkeys, away, rules, notifications, seen.' },
      audit: listOf(ref('AuditEntry')),
    },
    { isCutShort: { const: true, description: 'There is more in the audit.' } },
  ),
  OpenAsks: object(
    {
      asks: listOf(
        object(
          { session: text, id: text, server: text, message: text, askedAt: time, expiresAt: time },
          { tool: text, to: { ...ref('Audience'), description: 'Absent: anyone on the desk.' } },
        ),
      ),
    },
    { hasMore: { const: true, description: 'There are more than are listed.' } },
  ),
  Erased: object({ erased: listOf(text) }),
  SignIns: object({ sessions: listOf(object({ id: text, startedAt: time, expiresAt: time })) }),
  SignedOut: object({ ended: count }),
  ServerTokens: object({ tokens: listOf(ref('ServerToken')) }),
  ServerToken: object(token, { until: { ...time, description: 'Until when one that was replaced is good.' } }),
  NewServerToken: object({ ...token, token: text }),
  TokenBody: exactly({ server: { type: 'string', pattern: '^[\\w-]{1,100}$' } }),
  RotateBody: exactly({}, { graceMinutes: { type: 'integer', minimum: 0 } }),
  Revoked: object({ revoked: count }),
}
