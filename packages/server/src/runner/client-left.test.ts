// Several requests may wait for one call: what becomes of it when the one over which its client is asked is gone.
import { expect, it } from 'vitest'
import { createNode, turn } from '../../test/round-node.js'
import type { OpenAsk } from '../call/ask.js'
import type { AskPresenter, AskSender } from './call-request.js'

const timeoutMs = 3_600_000
const messageOf = ({ ask }: OpenAsk) => ('message' in ask ? ask.message : '')

it.each([true, false])(
  'moves what it was asked to the desk while another waits (durable before: %s)',
  async isDurable => {
    const seen: string[] = []
    const sender: AskSender = {
      open: ask => seen.push(`client: ${messageOf(ask)}`),
      withdraw: ask => seen.push(`client: ${messageOf(ask)} withdrawn`),
    }
    const presenter: AskPresenter = {
      link: async () => 'https://desk.example/',
      open: ask => {
        seen.push(`desk: ${messageOf(ask)}`)
        return new Promise(() => {})
      },
      withdraw() {},
      report() {},
    }
    const { send, clock } = createNode(
      call =>
        Promise.all([
          ...(isDurable ? [call.ask({ kind: 'confirm', message: 'Sign?' }, { timeoutMs, wire: 'desk' })] : []),
          call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire: 'push' }),
        ]),
      { presenter },
    )
    const request = { principal: 'ana', canRepeat: true, waitMs: 60_000, sender }
    const leaves = new AbortController()
    const first = send({ ...request, signal: leaves.signal }).catch((error: Error) => error.message)
    await turn()
    const second = send(request)
    await turn()
    leaves.abort()
    expect(await first).toBe('The client cancelled the request or went away.')
    await turn()
    clock.advance(60_000)
    expect(await second).toMatchObject({ kind: 'waiting', link: 'https://desk.example/' })
    const sent = ['client: Sure?', 'client: Sure? withdrawn', 'desk: Sure?']
    expect(seen).toEqual(isDurable ? ['client: Sure?', 'desk: Sign?', ...sent.slice(1)] : sent)
  },
)
