// Names and phrases that have given way to plainer ones, so that none comes back.
import { expect, it } from 'vitest'
import { sourcesOf } from './sources.js'

const packages = ['app', 'cli', 'core', 'desk', 'gateway', 'host', 'inbox', 'postgres', 'redis', 'server', 'sqlite']

/** By what each is called now. */
const names: Readonly<Record<string, RegExp>> = {
  'CallLog, StepRecorder': /\b(Ledger|Keeper)\b/,
  'Waiters, Attempt, Suspended, ExternalWaits': /\b(Vigil|Leg|Parked)\b/,
  'AskPresenter, DeskCall, Listener': /\b(Attendant|Door|openDoor)\b/,
  'takeOver, resume': /\b(Heir|Revival|[Aa]dopt(s|ed|ing)?)\b/,
  retryUntilStored: /\b(Insistence|untilDone)\b/,
  'PendingAction, Conflict, identifiesCallers': /\b(Deed|tellsApart)\b|\b(class|interface|type) Rival\b/,
  'Authorizer, Viewer, DeskEvent': /\b(class|interface|type) (Gate|Visitor|Act)\b/,
  'Visibility, Delivery': /\b(Sight|Telling)\b/,
  heartbeat: /\bconst beat\b|\bbeatMs\b/,
  'ServerDeps, CallInternals, normalizePrincipal': /\b(Grounds|strictly)\(?/,
  'borrowedStore, Semaphore, WebhookDispatcher, SharedInterval': /\b(lentStore|Turnstile|Courier|Pulse)\b/,
  OpenAsk: /\b(PutAsk|KnownAsk)\b/,
  'BeckonError, isRecord': /\b(AppError|isJsonObject)\b/,
  'maxX, minX':
    /\b(?:const|let|readonly) (most|fewest|longest|shortest)[A-Z]|\b((most|fewest)\??: number|const (most|fewest) = \d)/,
}

/** By what an English-speaking engineer writes. */
const phrases: Readonly<Record<string, RegExp>> = {
  'open, send an ask': /\b[Pp]uts? (\w+ )?asks?\b/,
  'must be a string': /has to be a (text|string)|is a text of/,
  'is not a': new RegExp(
    '(?<!there |There )\\b(is|are|was|were) no (URL|text|string|number|object|action|address|whole|list|person|access token|' +
      'amount|error|key|origin|outcome|picture|refusal|time|value|version)s?\\b',
  ),
  'anonymous callers': /nothing tells (\w+ )?apart/,
  'anyone who, the person who': /\b[Ww]hoever\b/,
  'takes a port, not': /(port|address), and [^`']* is none\./,
  'right now, unavailable': /cannot be had now/,
}

/** The same for messages; a few comments still say it. */
const inMessages: Readonly<Record<string, RegExp>> = {
  'is not JSON, is not a name': /(?<!there |There )\bis no (JSON|name)\b/,
}

/** What each of these names, it alone does. */
const once = ['Line', 'Peer', 'Place', 'RpcError']

// With their comments: a word that is gone from the code is not in what is said of it.
const sources = packages.flatMap(sourcesOf)

const inCode = sources.map(({ fileName, text }) => ({
  fileName,
  text: text.replace(/^\s*(\/\/|\*|\/\*\*|--).*$/gm, ''),
}))

it.each(Object.entries({ ...names, ...phrases }))('writes %s', (_now, gone) => {
  expect(found(gone, sources)).toEqual([])
})

it.each(Object.entries(inMessages))('says %s', (_now, gone) => {
  expect(found(gone, inCode)).toEqual([])
})

function found(gone: RegExp, files: readonly { readonly fileName: string; readonly text: string }[]): string[] {
  return files.flatMap(({ fileName, text }) => {
    const match = gone.exec(text)
    return match === null ? [] : [`${fileName}: ${match[0]}`]
  })
}

it.each(once)('has one thing that is called %s', name => {
  const defined = new RegExp(`\\b(class|interface|type) ${name}\\b *[<{=]`)
  expect(sources.flatMap(({ fileName, text }) => (defined.test(text) ? [fileName] : [])).length).toBeLessThan(2)
})
