import type { Clock, SetMember } from 'beckon/store'
import type { SetSpan } from 'beckon/store/adapter'
import type { Connection } from '../database/connection.js'

/** What is put into a set. */
interface Placement {
  readonly member: string
  readonly score: number
  readonly condition: 'absent' | number | undefined
  readonly expiresAt: number | undefined
}

/** The sets of the file. What changes one has to be in a transaction. */
export interface Sets {
  put(set: string, placement: Placement): boolean
  remove(set: string, member: string, condition: number | undefined): boolean
  range(set: string, span: SetSpan): SetMember[]
  count(set: string, upTo: number): number
}

export function createSets(connection: Connection, clock: Clock): Sets {
  const find = connection.prepare(
    'select id, expires_at is null or expires_at > ? as is_alive from sets where name = ?',
  )
  const begin = connection.prepare('insert into sets (name) values (?) returning id')
  const expire = connection.prepare('update sets set expires_at = ? where id = ?')
  const findScore = connection.prepare('select score from members where "set" = ? and member = ?')
  const write = connection.prepare('insert or replace into members ("set", member, score) values (?, ?, ?)')
  const removeMember = connection.prepare('delete from members where "set" = ? and member = ?')
  const findMember = connection.prepare('select 1 from members where "set" = ? limit 1')
  const removeMembers = connection.prepare('delete from members where "set" = ?')
  const removeSet = connection.prepare('delete from sets where id = ?')
  const alive = 'select id from sets where name = ?1 and (expires_at is null or expires_at > ?2)'
  const list = (operators: [member: '<' | '>', score: '<=' | '>='], order: 'asc' | 'desc') =>
    connection.prepare(
      `select member, score from members where "set" = (${alive}) ` +
        `and (score, member) ${operators[0]} (?3, ?4) and score ${operators[1]} ?5 ` +
        `order by score ${order}, member ${order} limit ?6`,
    )
  const forwards = list(['>', '<='], 'asc')
  const backwards = list(['<', '>='], 'desc')
  const countSome = connection.prepare(
    `select count(*) as members from (select 1 from members where "set" = (${alive}) limit ?3)`,
  )

  /** The set, unless it is absent; one that has expired is removed. */
  function findAlive(name: string): number | undefined {
    const row = find.get([clock.now(), name])
    if (row === undefined) return undefined
    const id = Number(row.id)
    if (row.is_alive === 1) return id
    removeMembers.run([id])
    removeSet.run([id])
    return undefined
  }

  function scoreIn(id: number | undefined, member: string): number | undefined {
    const row = id === undefined ? undefined : findScore.get([id, member])
    return row && Number(row.score)
  }

  return {
    put(set, { member, score, condition, expiresAt }) {
      const name = JSON.stringify(set)
      const found = findAlive(name)
      const current = scoreIn(found, member)
      if (condition !== undefined && current !== (condition === 'absent' ? undefined : condition)) return false
      const id = found ?? Number(begin.get([name])?.id)
      if (current !== score) write.run([id, member, score])
      if (expiresAt !== undefined) expire.run([expiresAt, id])
      return true
    },

    remove(set, member, condition) {
      const id = findAlive(JSON.stringify(set))
      const current = scoreIn(id, member)
      if (id === undefined || current === undefined || (condition ?? current) !== current) return false
      removeMember.run([id, member])
      if (findMember.get([id]) === undefined) removeSet.run([id])
      return true
    },

    range(set, { after, to, reverse, limit }) {
      const statement = reverse ? backwards : forwards
      const rows = statement.all([JSON.stringify(set), clock.now(), after.score, after.member, to, limit])
      return rows.map(row => ({ member: `${row.member}`, score: Number(row.score) }))
    },

    count: (set, upTo) => Number(countSome.get([JSON.stringify(set), clock.now(), upTo])?.members),
  }
}
