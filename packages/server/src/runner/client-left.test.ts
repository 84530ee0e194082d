// Several requests may wait for one call: what becomes of it, and of them, when one of them is gone.
import { describe, expect, it } from 'vitest'
import { createNode, type Handler, type Request, turn } from '../../test/round-node.js'
import type { Ending, OpenAsk } from '../call/ask.js'
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

describe('a request that waits for a call beside another', () => {
  const accepted: Ending = { kind: 'outcome', outcome: { action: 'accept', content: {} } }

  /** A call that several requests wait for, and what the second of them got. */
  function createCall(handler: Handler) {
    const answers: ((ending: Ending) => void)[] = []
    const presenter: AskPresenter = {
      link: async () => 'https://desk.example/',
      open: () => new Promise(resolve => answers.push(resolve)),
      withdraw() {},
      report() {},
    }
    const sender: AskSender = { open() {}, withdraw() {} }
    const { send, clock } = createNode(handler, { presenter })
    const request = { principal: 'ana', canRepeat: true, waitMs: 60_000 }
    return {
      clock,
      send: (options: Partial<Request> = {}) => send({ ...request, ...options }),
      sender,
      answer() {
        for (const resolve of answers.splice(0)) resolve(accepted)
      },
      async pass(ms: number) {
        for (let left = ms; left > 0; left -= 10_000) {
          await turn()
          clock.advance(10_000)
        }
        await turn()
      },
    }
  }

  const onDesk: Handler = async call => {
    await call.ask({ kind: 'confirm', message: 'Sign?' }, { timeoutMs, wire: 'desk' })
    return 'done'
  }

  it('gets the result, also when the first one was told to come back before', async () => {
    let entered = 0
    const { send, answer, pass } = createCall(call => {
      entered++
      return onDesk(call)
    })
    const first = send()
    await pass(30_000)
    const second = send()
    await pass(30_000)
    expect(await first).toMatchObject({ kind: 'waiting' })
    answer()
    await pass(10_000)
    expect(await second).toEqual({ kind: 'finished', result: 'done' })
    expect(entered).toBe(1)
  })

  it.each([
    ['asks', async (call: Parameters<Handler>[0]) => void (await Promise.all([onDesk(call), pushed(call)]))],
    ['is busy', async () => {}],
    ['is busy, and then takes a step', (call: Parameters<Handler>[0]) => call.step('pay', () => 'paid')],
  ])('gets the result of a handler that %s when the client leaves that it is asked over', async (_, act) => {
    let finish = () => {}
    const busy = new Promise<void>(resolve => (finish = resolve))
    const { send, sender, answer, pass } = createCall(async call => {
      if (_ !== 'asks') await busy
      await act(call)
      return 'done'
    })
    const leaves = new AbortController()
    const first = send({ sender, signal: leaves.signal }).catch((error: Error) => error.message)
    await pass(10_000)
    const second = send({ sender })
    await pass(10_000)
    leaves.abort()
    expect(await first).toBe('The client cancelled the request or went away.')
    await pass(10_000)
    finish()
    answer()
    await pass(10_000)
    expect(await second).toEqual({ kind: 'finished', result: 'done' })
  })

  function pushed(call: Parameters<Handler>[0]) {
    return call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire: 'push' })
  }
})
