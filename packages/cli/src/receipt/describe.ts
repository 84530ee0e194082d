import type { Receipt, ReceiptBy } from 'beckon/receipts'
import { plainLine } from '../plain-text.js'

/** What was compared with a receipt, and whether it is what the receipt says. */
export interface Compared {
  readonly what: 'arguments' | 'shown' | 'answer'
  readonly file: string
  readonly isSame: boolean
}

const places = {
  client: 'in the client, as that says',
  page: 'on a page of the server',
  desk: 'on the desk',
} as const

/** A receipt, for a person to read. The signer chose the words. */
export function describe(receipt: Receipt, compared: readonly Compared[]): string {
  const { action, iat, by, server, tool, where, jti } = receipt
  const digests = (['arguments', 'shown', 'answer'] as const).flatMap(what => {
    const digest = receipt[what]
    const match = compared.find(one => one.what === what)
    const verdict = match && (match.isSame ? `, as in ${match.file}` : `, and NOT as in ${match.file}`)
    return digest === undefined ? [] : [[what, `${digest}${verdict ?? ''}`] as const]
  })
  const rows = [
    ['action', action],
    ['by', by.map(who).join('; ') || 'nobody'],
    ['when', new Date(iat * 1000).toISOString()],
    ['where', places[where]],
    ['server', server],
    ...(tool === undefined ? [] : [['tool', tool] as const]),
    ['ask', jti],
    ...digests,
  ] as const
  return rows.map(([name, value]) => `  ${name.padEnd(10)}${plainLine(value)}`).join('\n')
}

function who(by: ReceiptBy): string {
  if (by.method === 'rule') return `the rule ${by.rule}`
  return `${by.principal}, ${by.method === 'passkey' ? 'with a passkey' : 'by a click'}`
}
