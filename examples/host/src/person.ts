// A scripted person: a program that connects to the desk's socket and speaks the live protocol (its dialect 0.3), as
// any client of it would. Nothing of Beckon is imported here.
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** An ask as it is shown. */
export interface Shown {
  /** The server that asks. */
  readonly server: string
  readonly message: string
  readonly url?: string
  readonly questions: readonly string[]
}

/** What the person does with it: `undefined` declines, values are by question. */
export type Script = (shown: Shown) => Record<string, unknown> | undefined

interface Request {
  readonly id: string
  readonly message: string
  readonly url?: string
  readonly questions?: readonly { readonly id: string }[]
}

interface Summary {
  readonly resource: string
  readonly provider: string
}

const root = 'ahp-root://'

/** Sits down at a desk, and answers whatever appears there. */
export async function sitDown(socketUrl: string, script: Script): Promise<{ leave(): void }> {
  const socket = new WebSocket(socketUrl)
  const servers = new Map<string, string>()
  const requests = new Map<number, string>()
  let count = 0

  function send(method: string, params: object): void {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }))
  }

  function enter({ resource, provider }: Summary): void {
    servers.set(resource, provider)
    send('subscribe', { channel: resource })
    requests.set(count, resource)
  }

  function answer(channel: string, { id: requestId, message, url, questions = [] }: Request): void {
    const shown = { server: servers.get(channel) ?? '', message, questions: questions.map(({ id }) => id) }
    const values = script(url === undefined ? shown : { ...shown, url })
    const submitted = Object.entries(values ?? {}).map(([id, value]) => [id, { state: 'submitted', value }])
    const action = {
      type: 'session/inputCompleted',
      requestId,
      response: values === undefined ? 'decline' : 'accept',
      answers: Object.fromEntries(submitted),
    }
    const params = { channel, clientSeq: ++count, action }
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params }))
  }

  socket.on('message', data => {
    const { id, method, params, result } = JSON.parse(String(data))
    if (method === 'root/sessionAdded') enter(params.summary)
    if (method === 'action' && params.rejectionReason !== undefined) throw new Error(params.rejectionReason)
    if (method === 'action' && params.action.type === 'session/inputRequested') {
      answer(params.channel, params.action.request)
    }
    // What was open when the session was entered.
    const entered = requests.get(id)
    if (entered === undefined) return
    for (const request of result.snapshot.state.inputRequests ?? []) answer(entered, request)
  })
  await once(socket, 'open')
  send('initialize', {
    channel: root,
    protocolVersions: ['0.3.0'],
    clientId: 'scripted-person',
    initialSubscriptions: [root],
  })
  await once(socket, 'message')
  return { leave: () => socket.close() }
}
