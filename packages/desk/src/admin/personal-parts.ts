import type { OpenPasskeys } from 'beckon/passkeys'
import type { OwnedSessions } from 'beckon/sign-in/adapter'
import type { DeskParts } from '../desk-parts.js'
import type { OpenNotify } from '../notify/notify.js'
import type { PersonalPart } from './personal-data.js'

export interface PersonalPartsDeps extends Pick<DeskParts, 'people' | 'members' | 'absences' | 'rules'> {
  readonly sessions: OwnedSessions | undefined
  readonly passkeys: OpenPasskeys | undefined
  readonly notify: OpenNotify | undefined
}

/** What each part of a desk keeps of people. Sessions are erased first: anyone who is signed in would be noted again. */
export function personalParts(deps: PersonalPartsDeps): readonly PersonalPart[] {
  const { people, members, absences, rules, sessions, passkeys, notify } = deps
  return [
    {
      name: 'sessions',
      read: async principal => unlessEmpty(await sessions?.list(principal)),
      erase: async principal => sessions?.end(principal),
    },
    {
      name: 'passkeys',
      read: async principal => unlessEmpty(await passkeys?.people.list(principal)),
      erase: async principal => passkeys?.people.removeAll(principal),
    },
    { name: 'away', read: principal => absences.find(principal), erase: principal => absences.remove(principal) },
    {
      name: 'rules',
      read: async principal => unlessEmpty(await rules.list({ owner: principal })),
      async erase(principal) {
        for (const { id } of await rules.list({ owner: principal })) await rules.remove(id, { owner: principal })
      },
    },
    {
      name: 'notifications',
      read: async principal => notify?.kept(principal),
      erase: async principal => notify?.forget(principal),
    },
    {
      name: 'seen',
      read: principal => people.find(principal),
      async erase(principal) {
        members.forget(principal)
        await people.forget(principal)
      },
    },
  ]
}

function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length ? list : undefined
}
