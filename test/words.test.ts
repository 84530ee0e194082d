// Names and phrases that have given way to plainer ones, so that none comes back.
import { expect, it } from 'vitest'
import { sourcesOf } from './sources.js'

const packages = ['app', 'cli', 'core', 'desk', 'gateway', 'host', 'inbox', 'postgres', 'redis', 'server', 'sqlite']

/** By what each is called now. */
const names: Readonly<Record<string, RegExp>> = {
  'CallLog, StepRecorder': /\b(Ledger|Keeper)\b/,
  'Waiters, Attempt, Suspended, ExternalWaits': /\b(Vigil|Leg|Parked)\b/,
  'AskPresenter, DeskCall, Listener': /\b(Attendant|Door|openDoor)\b/,
  'takeOver, resume': /\b(Heir|Revival)\b/,
  retryUntilStored: /\b(Insistence|untilDone)\b/,
  'PendingAction, Conflict, identifiesCallers': /\b(Deed|tellsApart)\b/,
  'ServerDeps, CallInternals, normalizePrincipal': /\b(Grounds|strictly)\(?/,
  'borrowedStore, Semaphore, WebhookDispatcher, SharedInterval': /\b(lentStore|Turnstile|Courier|Pulse)\b/,
  OpenAsk: /\b(PutAsk|KnownAsk)\b/,
  'BeckonError, isRecord': /\b(AppError|isJsonObject)\b/,
  'maxX, minX': /\b(?:const|let|readonly) (most|fewest|longest|shortest)[A-Z]/,
}

/** By what an English-speaking engineer writes. */
const phrases: Readonly<Record<string, RegExp>> = {
  'must be a string': /has to be a (text|string)|is a text of/,
  'is not a': /(?<!there |There )\bis no (URL|JSON|text|string|number|object|action|address|name|whole|list)\b/,
  'anyone who, the person who': /\b[Ww]hoever\b/,
  'takes a port, not': /(port|address), and [^`']* is none\./,
  'right now, unavailable': /cannot be had now/,
}

const inCode = packages.flatMap(sourcesOf).map(({ fileName, text }) => ({
  fileName,
  code: text.replace(/^\s*(\/\/|\*|\/\*\*|--).*$/gm, ''),
}))

it.each(Object.entries({ ...names, ...phrases }))('writes %s', (_now, gone) => {
  const found = inCode.flatMap(({ fileName, code }) => {
    const match = gone.exec(code)
    return match === null ? [] : [`${fileName}: ${match[0]}`]
  })
  expect(found).toEqual([])
})
