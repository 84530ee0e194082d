// The way from `ctx.elicit` to a page of ours where files are uploaded.
import { AskExpiredError, ElicitationNotAvailableError, type Outcome } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Call } from '../call/call.js'
import type { AskSettings } from './ask-person.js'
import { isUrlError, pageWire } from './ask-url.js'
import type { FileForm } from './file-schema.js'

/** What is asked on the page. */
export interface FileAsk {
  readonly message: string
  readonly form: FileForm
  readonly show?: readonly Block[] | undefined
  readonly timeoutMs: number | undefined
}

/** A page of our own where files are uploaded. */
export interface FileAsker {
  /** What a person did there; undefined when its time was over. */
  ask(call: Call, settings: AskSettings, ask: FileAsk): Promise<Outcome<unknown> | undefined>
}

/** Asks for files. */
export async function askFiles(call: Call, settings: AskSettings, ask: FileAsk): Promise<Outcome<unknown>> {
  const { files } = settings
  if (files === undefined)
    throw new TypeError(
      "A schema with `file()` needs a place for files: createServer({ files: files({ to: 'uploads' }) }).",
    )
  const canOpen = pageWire(call, settings) !== undefined || isUrlError(call, settings)
  if (!canOpen || settings.isSilent) throw new ElicitationNotAvailableError('url')
  const outcome = await files.ask(call, settings, ask)
  if (outcome === undefined) throw new AskExpiredError(ask.message)
  return outcome
}
