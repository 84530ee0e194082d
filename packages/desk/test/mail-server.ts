// A real SMTP server on this machine, which keeps what it gets.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

interface TakenLetter {
  readonly from: string
  readonly to: readonly string[]
  /** As it came, with its headers. */
  readonly raw: string
  /** Header lines, unfolded. */
  readonly headers: readonly string[]
  /** The plain text, decoded. */
  readonly text: string
  readonly html: string
}

export interface MailServer {
  readonly url: string
  readonly letters: TakenLetter[]
  close(): Promise<void>
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const letters: TakenLetter[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const raw = Buffer.concat(chunks).toString()
        const headers = (raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')
        letters.push({
          from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
          to: rcptTo.map(({ address }) => address),
          raw,
          headers,
          text: part(raw, 'text/plain'),
          html: part(raw, 'text/html'),
        })
        callback()
      })
    },
  })
  // A client that goes away in the middle is part of some tests.
  server.on('error', () => {})
  await new Promise<void>(resolve => void server.listen(port, '127.0.0.1', () => resolve()))
  const { port: bound } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${bound}`,
    letters,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** A part of a letter of several, decoded. */
function part(raw: string, type: string): string {
  const boundary = /boundary="?([^"\r\n;]+)/.exec(raw)?.[1]
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`)
  const found = parts.find(each => new RegExp(`content-type: ${type}`, 'i').test(each)) ?? ''
  const [head = '', ...body] = found.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString()
  if (!/transfer-encoding: quoted-printable/i.test(head)) return text
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
