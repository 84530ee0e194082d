// A person at a desk: a program that speaks the live protocol (its dialect 0.3) over the desk's socket, as any client of it
// would. Nothing of Beckon is imported here.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Person } from './person.js'

interface Request {
  readonly id: string
  readonly url?: string
  readonly questions?: readonly { readonly id: string; readonly kind: string }[]
}

interface Completion {
  readonly response: 'accept' | 'decline'
  readonly answers?: Record<string, unknown>
}

const root = 'ahp-root://'

/** Answers whatever appears on a desk, until they leave. */
export async function sitDown(socketUrl: string, person: Person): Promise<{ leave(): void }> {
  const socket = new WebSocket(socketUrl)
  const entering = new Map<number, string>()
  let count = 0

  function send(method: string, params: object): void {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }))
  }

  function enter(channel: string): void {
    send('subscribe', { channel })
    entering.set(count, channel)
  }

  async function complete(channel: string, request: Request): Promise<void> {
    const action = { type: 'session/inputCompleted', requestId: request.id, ...(await answer(request, person)) }
    const params = { channel, clientSeq: ++count, action }
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params }))
  }

  async function take(data: string): Promise<void> {
    const { id, method, params, result } = JSON.parse(data)
    if (method === 'root/sessionAdded') enter(params.summary.resource)
    if (method === 'action' && params.rejectionReason !== undefined) throw new Error(params.rejectionReason)
    if (method === 'action' && params.action.type === 'session/inputRequested')
      await complete(params.channel, params.action.request)
    // What was open when the session was entered.
    const entered = entering.get(id)
    if (entered === undefined) return
    for (const request of result.snapshot.state.inputRequests ?? []) await complete(entered, request)
  }

  socket.on('message', data => {
    take(String(data)).catch(error => socket.emit('error', error))
  })
  await once(socket, 'open')
  send('initialize', {
    channel: root,
    protocolVersions: ['0.3.0'],
    clientId: `person-${crypto.randomUUID()}`,
    initialSubscriptions: [root],
  })
  await once(socket, 'message')
  return { leave: () => socket.close() }
}

async function answer({ url, questions = [] }: Request, person: Person): Promise<Completion> {
  if (url !== undefined) return { response: await person.open(url) }
  const content = person.fillIn?.()
  if (content === undefined) return { response: 'decline' }
  const answers = questions.map(({ id, kind }) => {
    const value = { kind: kind === 'single-select' ? 'selected' : 'text', value: content[id] }
    return [id, { state: 'submitted', value }]
  })
  return { response: 'accept', answers: Object.fromEntries(answers) }
}
