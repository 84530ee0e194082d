import type { Policy, StandIns } from './policy.js'

/** The policy of an ask that someone handed to someone else: the one takes the other's place. */
export function handedTo(
  policy: Policy,
  giver: string,
  { to, standIns = {} }: { readonly to: string; readonly standIns?: StandIns },
): Policy {
  const { audience, handedOn = [], standIns: known = {} } = policy
  const { principals = [] } = audience ?? {}
  const added = [to, ...Object.keys(standIns)]
  const named = [...principals.filter(principal => principal !== giver && !added.includes(principal)), ...added]
  return {
    ...policy,
    ...(audience && { audience: { ...audience, principals: named } }),
    handedOn: [...handedOn, giver],
    standIns: { ...placesAfter(known, giver, to), ...standIns },
  }
}

/** For whom someone stands in, or else they themselves: of those with the same place one counts. */
export function placeOf({ standIns = {} }: Pick<Policy, 'standIns'>, principal: string): string {
  return Object.hasOwn(standIns, principal) ? (standIns[principal] ?? principal) : principal
}

/** A person who takes over from a stand-in stands in for the same person; who stood in for the giver does so for them. */
function placesAfter(known: StandIns, giver: string, to: string): StandIns {
  const places = Object.entries(known).map(([standIn, place]): [string, string] => [
    standIn === giver ? to : standIn,
    place === giver ? to : place,
  ])
  return Object.fromEntries(places.filter(([standIn, place]) => standIn !== place))
}
