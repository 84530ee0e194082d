// Since 2026-07-28 an ask ends a request, and the answer comes back with another. Each probe begins a call of its own,
// sends its first round back in some way, and looks at what the server makes of it. All answers are declines or cancels.

import { ProtocolError } from '@modelcontextprotocol/client'
import type { Fields } from '../fields.js'

/** What a server made of a round: an error of the protocol, a tool's own error, another question, or a result. */
export type Fate = 'error' | 'failed' | 'asked' | 'taken'

/** What became of rounds, by how they were sent back; none where there was nothing to send, or no clear reply. */
export interface RoundFates {
  /** With the state changed on the way. */
  readonly changed?: Fate
  /** With other arguments than the call was made with. */
  readonly moved?: Fate
  /** Once more, with other answers. */
  readonly repeated?: Fate
  /** With an answer to something that was not asked. */
  readonly unknown?: Fate
  /** With no answer. */
  readonly missing?: Fate
}

export type Send = (params: Record<string, unknown>) => Promise<Fields>

interface Call extends Record<string, unknown> {
  readonly arguments: Record<string, unknown>
}

const stray = 'beckon-doctor'

export async function probeRounds(call: Call, send: Send): Promise<RoundFates> {
  const fates: Partial<Record<keyof RoundFates, Fate>> = {}
  for (const [name, probe] of Object.entries(probes) as [keyof RoundFates, Probe][]) {
    const round = await send(call).catch(() => undefined)
    if (round?.resultType !== 'input_required') return fates
    const fate = await probe({ call, send, round: { ...round } })
    if (fate !== undefined) fates[name] = fate
  }
  return fates
}

type Probe = (options: { call: Call; send: Send; round: Fields }) => Promise<Fate | undefined>

const probes: Readonly<Record<keyof RoundFates, Probe>> = {
  async changed({ call, send, round }) {
    if (typeof round.requestState !== 'string') return undefined
    return fateOf(send({ ...call, ...answered(round, 'decline'), requestState: altered(round.requestState) }))
  },
  async moved({ call, send, round }) {
    if (typeof round.requestState !== 'string') return undefined
    const other = { ...call, arguments: { ...call.arguments, [stray]: 'another call' } }
    return fateOf(send({ ...other, ...answered(round, 'decline') }))
  },
  async repeated({ call, send, round }) {
    if (typeof round.requestState !== 'string') return undefined
    const first = await fateOf(send({ ...call, ...answered(round, 'decline') }))
    if (first === undefined || first === 'error') return undefined
    return fateOf(send({ ...call, ...answered(round, 'cancel') }))
  },
  async unknown({ call, send, round }) {
    const { inputResponses, ...state } = answered(round, 'decline')
    return fateOf(send({ ...call, ...state, inputResponses: { ...inputResponses, [stray]: { action: 'decline' } } }))
  },
  async missing({ call, send, round }) {
    return fateOf(send({ ...call, ...answered(round, 'decline'), inputResponses: {} }))
  },
}

function answered({ inputRequests, requestState }: Fields, action: 'decline' | 'cancel') {
  const keys = Object.keys(typeof inputRequests === 'object' && inputRequests !== null ? inputRequests : {})
  const inputResponses = Object.fromEntries(keys.map(key => [key, { action }]))
  return { inputResponses, ...(requestState !== undefined && { requestState }) }
}

/** Nothing, where the reply says nothing about the rule: it took too long, or the connection broke. */
async function fateOf(reply: Promise<Fields>): Promise<Fate | undefined> {
  try {
    const { resultType, isError } = await reply
    if (resultType === 'input_required') return 'asked'
    return isError === true ? 'failed' : 'taken'
  } catch (error) {
    return error instanceof ProtocolError ? 'error' : undefined
  }
}

/** Another text of the same length: the character in the middle is another one, whatever it was. */
function altered(state: string): string {
  const at = Math.floor(state.length / 2)
  return `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`
}
