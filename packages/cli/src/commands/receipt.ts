import { readFile } from 'node:fs/promises'
import { digestOf, peekReceipt, type Receipt, verifyReceipt } from 'beckon/receipts'
import { usageError } from '../cli-error.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { plainJson, plainLine } from '../plain-text.js'
import { type Compared, describe } from '../receipt/describe.js'
import { keysAddress, readKeys } from '../receipt/read-keys.js'
import { receiptsIn } from '../receipt/read-receipts.js'
import { type Command, defineCommand } from './command.js'

/** `beckon receipt` */
export const command: Command = defineCommand({
  usage: `Checks receipts: signed statements of who answered what.

Usage:
  beckon receipt verify <file> [options]     the file has a receipt, a tool's result, or an entry of the audit; - is standard input`,
  options: {
    jwks: {
      type: 'string',
      value: 'file|url',
      help: 'the keys that should have signed it; with a file nothing is fetched (default: what the issuer of the receipt publishes, over https)',
    },
    arguments: {
      type: 'string',
      value: 'file',
      help: 'JSON of the arguments that the tool was called with: is the receipt about these?',
    },
    shown: { type: 'string', value: 'file', help: 'JSON of what was shown, { message, url?, questions? }, likewise' },
    answer: { type: 'string', value: 'file', help: 'JSON of the answer, likewise' },
    json: { type: 'boolean', default: false, help: 'print what was found as JSON' },
  },
  notes: `Exit codes: 0 good, 1 not good, 2 usage, 4 the keys cannot be read.`,
  takes: 'words',
  async run({ values, words: [action, file, more] }) {
    if (action !== 'verify' || file === undefined || more !== undefined)
      throw usageError('Name one file: beckon receipt verify <file>.')
    const receipts = receiptsIn(await read(file))
    if (receipts.length === 0) throw usageError(`There is no receipt in ${file}.`)
    const checks = []
    for (const jws of receipts) checks.push(await check(jws, values))
    if (values.json)
      console.log(plainJson(checks.map(({ isGood, verdict, receipt }) => ({ isGood, verdict, receipt }))))
    else console.log(checks.map(({ text }) => text).join('\n\n'))
    const code: ExitCode = checks.every(({ isGood }) => isGood) ? exitCodes.ok : exitCodes.failed
    return code
  },
})

type Given = { readonly [Name in 'jwks' | Compared['what']]?: string | undefined }

async function check(jws: string, given: Given) {
  const said = peekReceipt(jws)
  const from = given.jwks ?? (said && keysAddress(said.iss))
  if (from === undefined) throw usageError('It does not say where its keys are. Name them: --jwks <file|url>.')
  const checked = await verifyReceipt(jws, await readKeys(from))
  if (!checked.isValid) return { isGood: false, receipt: undefined, ...worded(`NOT GOOD. ${checked.message}`) }
  const { receipt, kid } = checked
  const compared = await compare(receipt, given)
  const isGood = compared.every(({ isSame }) => isSame)
  const by = `signed by ${receipt.iss}, with the key ${kid} of ${from}`
  const verdict = isGood ? `Good: ${by}.` : `NOT GOOD for what was given, although ${by}.`
  return { isGood, receipt, ...worded(verdict, describe(receipt, compared)) }
}

function worded(verdict: string, details?: string) {
  const line = plainLine(verdict)
  return { verdict: line, text: details === undefined ? line : `${line}\n${details}` }
}

async function compare(receipt: Receipt, given: Given): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const what of ['arguments', 'shown', 'answer'] as const) {
    const file = given[what]
    if (file === undefined) continue
    compared.push({ what, file, isSame: receipt[what] === digestOf(parsed(await read(file), file)) })
  }
  return compared
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${file} is not JSON.`)
  }
}

async function read(file: string): Promise<string> {
  if (file === '-') {
    let text = ''
    for await (const part of process.stdin.setEncoding('utf8')) text += part
    return text
  }
  return readFile(file, 'utf8').catch(() => {
    throw usageError(`${file} cannot be read.`)
  })
}
