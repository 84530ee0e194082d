import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeMessage, encodeError, encodeResult, errorCodes, type RequestId, RpcError } from '@beckon/core/json-rpc'
import { protocolCodes } from '../protocol/protocol-codes.js'
import { atExit } from './at-exit.js'
import type { Refusal } from './authorizer.js'
import type { Acceptor, Endpoint, Receiver } from './endpoint.js'
import { LineReader } from './line-reader.js'

const reasons: Record<Exclude<Refusal, 'missing' | 'malformed'>, string> = {
  locked: 'Too many wrong codes. Try again in a minute.',
  wrong: 'This is not the code of this app.',
  bound: 'A gateway is connected already.',
}

/** Listens for a gateway on a socket that no other user can open. */
export async function listenOnUnixSocket(acceptor: Acceptor): Promise<Endpoint> {
  // The folder is made for this user alone, so that nobody gets in before the socket's own mode is set.
  const folder = await mkdtemp(join(tmpdir(), 'beckon-app-'))
  const path = join(folder, 'sock')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const stopAtExit = atExit(remove)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, acceptor)
  })
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return {
    address: { kind: 'uds', path },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
      stopAtExit()
      remove()
    },
  }
}

function serve(socket: Socket, acceptor: Acceptor): void {
  let receiver: Receiver | undefined
  const lines = new LineReader(
    line => {
      if (receiver === undefined) receiver = bind(socket, acceptor, line)
      else receiver.receive(line)
    },
    () => socket.destroy(),
  )
  socket.on('error', () => {})
  socket.on('data', chunk => lines.read(chunk))
  socket.on('close', () => receiver?.end())
}

/** The first line has to bring the code. */
function bind(socket: Socket, acceptor: Acceptor, line: string): Receiver | undefined {
  const message = decodeMessage(line)
  if (message.kind !== 'request' || message.method !== 'tesseron/bind') {
    const id = message.kind === 'request' ? message.id : null
    return refuse(socket, id, new RpcError(errorCodes.invalidRequest, 'The first message must be tesseron/bind.'))
  }
  const { code } = message.params
  const refused = acceptor.check(typeof code === 'string' ? code : undefined)
  if (refused === 'missing' || refused === 'malformed')
    return refuse(socket, message.id, new RpcError(errorCodes.invalidParams, 'A code is needed, as in ABCD-23.'))
  if (refused !== undefined)
    return refuse(socket, message.id, new RpcError(protocolCodes.unauthorized, reasons[refused]))
  socket.write(`${encodeResult(message.id, {})}\n`)
  return acceptor.accept({ send: text => socket.write(`${text}\n`), close: () => socket.end() })
}

function refuse(socket: Socket, id: RequestId | null, error: RpcError): undefined {
  socket.end(`${encodeError(id, error)}\n`)
}
