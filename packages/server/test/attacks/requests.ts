// Requests that want too much of the server, or come from a page that a person only visits.
import { once } from 'node:events'
import type { Family } from './attack.js'
import { type OverHttp, overHttp, type Reply, told, toldAll } from './over-http.js'

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function listening(): Promise<OverHttp> {
  return overHttp(server => void server.tool('hello', {}, () => 'hello'))
}

/** Sends without an end, and gives back the first line of the answer and how much was taken until then. */
async function flood({ socket }: OverHttp, head: string, chunk: string): Promise<{ answer: string; sent: number }> {
  const opened = await socket()
  let answer = ''
  opened.setEncoding('latin1').on('data', text => {
    answer += text
  })
  // One that is cut off in the middle of a write has an error, and is closed.
  opened.on('error', () => {})
  const closed = new Promise(resolve => opened.once('close', resolve))
  const answered = new Promise(resolve => opened.once('data', resolve))
  opened.write(head)
  let sent = 0
  while (sent < 50_000_000 && !opened.destroyed && answer === '') {
    sent += chunk.length
    if (!opened.write(chunk))
      await Promise.race([new Promise(resolve => opened.once('drain', resolve)), answered, closed])
  }
  opened.destroy()
  return { answer: answer.split('\r\n')[0] ?? '', sent }
}

/** One that goes on sending may be cut off before it has read why. */
function refused({ answer, sent }: { answer: string; sent: number }, status: number): string {
  if (answer !== '' && !answer.includes(` ${status} `)) throw new Error(`It got ${answer}.`)
  if (sent > 20_000_000) throw new Error(`It took ${sent} bytes.`)
  return `${status}, after a few megabytes at most`
}

/** The server still serves. */
async function alive({ modern }: OverHttp, got: string): Promise<string> {
  const hello = told(await modern({ name: 'hello' }))
  if (hello !== '200, hello') throw new Error(`The server is no longer there: ${hello}`)
  return got
}

export const requests: Family = {
  family: 'A request',
  attacks: [
    {
      attack: 'a body of 50 MB that says so',
      async run() {
        const scene = await listening()
        const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50000000\r\n\r\n`
        return alive(scene, refused(await flood(scene, head, ' '.repeat(65_536)), 413))
      },
    },
    {
      attack: 'a body of 50 MB that does not say how long it is',
      async run() {
        const scene = await listening()
        const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
        return alive(scene, refused(await flood(scene, head, `10000\r\n${' '.repeat(65_536)}\r\n`), 413))
      },
    },
    {
      attack: 'a header of 50 MB',
      async run() {
        const scene = await listening()
        return alive(scene, refused(await flood(scene, 'POST /mcp HTTP/1.1\r\nX-Long: ', 'x'.repeat(65_536)), 431))
      },
    },
    {
      attack: 'bodies that are begun and never ended, 200 at once',
      async run() {
        const scene = await listening()
        const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
        const sockets = await Promise.all(Array.from({ length: 200 }, () => scene.socket()))
        for (const socket of sockets) socket.write(head)
        const got = await alive(scene, 'the others are served meanwhile; Node ends such a request after five minutes')
        for (const socket of sockets) socket.destroy()
        return got
      },
    },
    {
      attack: 'JSON that is nested 100,000 deep, as a message and as arguments',
      async run() {
        const scene = await listening()
        const deep = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`
        const replies: Reply[] = []
        for (const body of [deep('[', ']'), deep('{"a":', '}')]) {
          replies.push(await scene.send(body, json))
          const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":{"a":${body}}}}`
          replies.push(await scene.send(call, json))
        }
        return alive(scene, toldAll(replies))
      },
    },
    {
      attack: 'a batch of requests, in a revision that has none',
      async run() {
        const scene = await listening()
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hello' } }
        const headers = {
          ...json,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'hello',
        }
        const reply = await scene.send(JSON.stringify([call, call]), headers)
        return alive(scene, `${reply.status}, error ${reply.message.error.code}`)
      },
    },
    {
      attack: 'two requests in one, by both lengths at once (request smuggling)',
      async run() {
        const scene = await listening()
        const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
        const socket = await scene.socket()
        socket.write(head)
        const [answer] = await once(socket.setEncoding('latin1'), 'data')
        socket.destroy()
        return alive(scene, String(answer).split('\r\n')[0]?.replace('HTTP/1.1 ', '') ?? '')
      },
    },
  ],
}

export const browsers: Family = {
  family: 'A page in a browser',
  attacks: [
    {
      attack: 'a page makes its own host name point to this machine (DNS rebinding)',
      async run() {
        const { modern } = await listening()
        const hosts = ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example']
        const replies = await Promise.all(hosts.map(host => modern({ name: 'hello' }, { headers: { host } })))
        if (replies.some(({ status }) => status !== 403)) throw new Error('It was let in.')
        return '403, by the Host that the browser names'
      },
    },
    {
      attack: 'a page of another site calls a tool',
      async run() {
        const { modern } = await listening()
        const origins = ['https://evil.example', 'null', 'file://', 'http://localhost.evil.example']
        const replies = await Promise.all(origins.map(origin => modern({ name: 'hello' }, { headers: { origin } })))
        if (replies.some(({ status }) => status !== 403)) throw new Error('It was let in.')
        return '403, by the Origin that the browser names'
      },
    },
    {
      attack: 'it asks first whether it may (a CORS preflight)',
      async run() {
        const { send } = await listening()
        const reply = await send(
          undefined,
          { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
          'OPTIONS',
        )
        const granted = Object.keys(reply.headers).filter(name => name.startsWith('access-control-'))
        if (granted.length > 0) throw new Error(`It was granted ${granted.join()}.`)
        return `${reply.status}, and nothing is granted`
      },
    },
    {
      attack: 'it sends a form, which needs no leave',
      async run() {
        const { send } = await listening()
        const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello"}}'
        const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
        return toldAll(await Promise.all(types.map(type => send(body, { ...json, 'content-type': type }))))
      },
    },
  ],
}
