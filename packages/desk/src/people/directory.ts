// Who is in which group. Without a directory the groups are those that a sign-in says: the claims of a token, or what a lookup of
// tokens gives. With one, the directory is asked when someone comes in, before each answer of theirs, and by rules: anyone who left
// a group answers for it no more, however long ago they signed in.
import type { MembersOf } from '../policy/approval.js'
import { nobodyInParticular, type Person } from '../policy/audience.js'

/**
 * By group, the principals who are in it; or a function that gives the groups of a principal, and undefined for one that it does
 * not know: for them what their sign-in says stands.
 */
export type Directory =
  | Readonly<Record<string, readonly string[]>>
  | ((principal: string) => Groups | undefined | Promise<Groups | undefined>)

type Groups = readonly string[]

/** The groups of someone; undefined where the directory does not say. */
export type GroupsOf = (principal: string) => Promise<Groups | undefined>

export function groupsIn(directory: Directory): GroupsOf {
  const find = typeof directory === 'function' ? directory : listed(directory)
  return async principal => (principal === nobodyInParticular ? undefined : find(principal))
}

/** Who is in a group: a list says; a function of a principal does not, and is asked of those who come in. */
export function membersIn(directory: Directory | undefined): MembersOf | undefined {
  if (directory === undefined || typeof directory === 'function') return undefined
  return group => (Object.hasOwn(directory, group) ? { people: directory[group] ?? [], isAll: true } : undefined)
}

/** Someone with the groups that they have now. Rejects when that cannot be found out. */
export async function inDirectory<P extends Person>(person: P, groupsOf: GroupsOf | undefined): Promise<P> {
  const groups = await groupsOf?.(person.principal)
  return groups === undefined ? person : { ...person, groups: [...groups] }
}

function listed(list: Readonly<Record<string, Groups>>): (principal: string) => Groups {
  return principal => Object.keys(list).filter(group => list[group]?.includes(principal))
}
