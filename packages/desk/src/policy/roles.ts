import type { Audience } from '../model/policy.js'
import { isIn, type Person, type Role } from './audience.js'

/** Who may do more than answer what they are asked. */
export type Roles = Readonly<Partial<Record<Exclude<Role, 'member'>, Audience>>>

/** The role of someone; the greater one where they have both. */
export function rolesOf({ admin = {}, auditor = {} }: Roles): (person: Person) => Role | undefined {
  return person => (isIn(admin, person) ? 'admin' : isIn(auditor, person) ? 'auditor' : undefined)
}
