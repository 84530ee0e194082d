// E-mail through any SMTP server. A letter has a link, and nothing in it answers: a person who follows it signs in, and answers there.
import { isRecord } from '@beckon/core/json-rpc'
import { isLoopback } from 'beckon/http/adapter'
import { createTransport, type Transporter } from 'nodemailer'
import { KeyedRate } from '../../limits/keyed-rate.js'
import type {
  ChannelDesk,
  ChannelReply,
  ChannelRequest,
  ChannelRoute,
  ChannelSettings,
  EndedNotice,
  Notice,
  NotifyChannel,
  Recipient,
} from '../channel.js'
import { isAddress } from './address.js'
import { digestOf, type Letter, letterOf, plainLetter } from './letter.js'
import { OwnAddresses } from './own-addresses.js'
import { wordsFor } from './words.js'

export interface EmailOptions {
  /** `smtps://name:password@mail.example`, or `smtp://mail.example:587`. */
  readonly smtp: string
  /** Who it comes from: an address, or a name with one. */
  readonly from: string | { readonly name: string; readonly address: string }
  /** The address of someone, by your own directory. An address that they have proved themselves goes before it. */
  readonly addressOf?: ((principal: string) => string | undefined | Promise<string | undefined>) | undefined
  /** Whether people may give an address of their own, once they have proved that it is theirs. Default: they may. */
  readonly ownAddresses?: boolean | undefined
  /** Whether a person who got a letter gets another, in answer to it, once nobody has to answer any more. Default: they do not. */
  readonly tellsWhenDone?: boolean | undefined
  /** For those who have set nothing. Default: each by itself, when it has been open for five minutes. */
  readonly defaults?: Partial<ChannelSettings> | undefined
  /** Whether `smtp:` may go unencrypted to another machine, where its server offers nothing else. Default: it may not. */
  readonly allowPlain?: boolean | undefined
  /** How long the server may take. Default: 20 seconds. */
  readonly timeoutMs?: number | undefined
}

/** Codes that one person can have sent, and one address can get. */
const codeRate = { perSecond: 1 / 600, burst: 5 }

/**
 * E-mail with a link to the ask.
 * @example
 * notify({ channels: [email({ smtp: 'smtps://desk:secret@mail.example', from: 'desk@example.com' })] })
 */
export function email(options: EmailOptions): (desk: ChannelDesk) => NotifyChannel {
  const from = typeof options.from === 'string' ? { name: '', address: options.from } : options.from
  if (!isAddress(from.address) || /[\p{Cc}]/u.test(from.name)) throw new TypeError('from is not an address for e-mail.')
  if (!URL.canParse(options.smtp) || !/^smtps?:$/.test(new URL(options.smtp).protocol))
    throw new TypeError('smtp is a URL with smtp: or smtps:.')
  return function email(desk) {
    return new EmailChannel(desk, options, from)
  }
}

class EmailChannel implements NotifyChannel {
  readonly name = 'email'
  readonly defaults: Partial<ChannelSettings>
  readonly routes: readonly ChannelRoute[]
  readonly #desk: ChannelDesk
  readonly #options: EmailOptions
  readonly #from: { readonly name: string; readonly address: string }
  readonly #transport: Transporter
  readonly #own: OwnAddresses
  readonly #codes = new KeyedRate(codeRate)

  constructor(desk: ChannelDesk, options: EmailOptions, from: { readonly name: string; readonly address: string }) {
    const { smtp, timeoutMs = 20_000, ownAddresses = true, allowPlain = false, defaults } = options
    this.#desk = desk
    this.#options = options
    this.#from = from
    this.defaults = { delayMs: 5 * 60_000, ...defaults }
    const { protocol, hostname } = new URL(smtp)
    const requireTLS = protocol === 'smtp:' && !allowPlain && !isLoopback(hostname)
    const times = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
    // What a letter is made of comes from elsewhere, and names no file and no address to fetch.
    this.#transport = createTransport({
      url: smtp,
      requireTLS,
      ...times,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    this.#own = new OwnAddresses(desk)
    this.routes = ownAddresses
      ? [
          { method: 'POST', path: 'address', handle: (person, request) => this.#begin(person, request) },
          { method: 'POST', path: 'confirm', handle: (person, request) => this.#confirm(person, request) },
          { method: 'DELETE', path: 'address', handle: ({ principal }) => this.#remove(principal) },
        ]
      : []
  }

  send(person: Recipient, notice: Notice): Promise<undefined | 'unreachable'> {
    const letter = letterOf(notice, wordsFor(person.language), person.timeZone)
    return this.#sendTo(person, letter, { id: `${notice.id}.${notice.reminder}` })
  }

  /** A letter cannot be taken back: a second one, in answer to it, says that it is of no use any more. */
  async withdraw(person: Recipient, { id, link }: EndedNotice): Promise<void> {
    if (this.#options.tellsWhenDone !== true) return
    const { doneSubject, done } = wordsFor(person.language)
    await this.#sendTo(person, plainLetter(doneSubject, done(link)), { inReplyTo: `${id}.0` })
  }

  sendDigest(person: Recipient, notices: readonly Notice[]): Promise<undefined | 'unreachable'> {
    return this.#sendTo(person, digestOf(notices, wordsFor(person.language), person.timeZone))
  }

  test(person: Recipient): Promise<undefined | 'unreachable'> {
    const { testSubject, test } = wordsFor(person.language)
    return this.#sendTo(person, plainLetter(testSubject, test))
  }

  forget(principal: string): Promise<void> {
    return this.#own.remove(principal)
  }

  async state(person: Recipient): Promise<object> {
    const [address, own, pending] = await Promise.all([
      this.#addressOf(person),
      this.#own.find(person.principal),
      this.#own.pending(person.principal),
    ])
    return { address, isOwn: own !== undefined, pending, canSet: this.routes.length > 0 }
  }

  async #sendTo(person: Recipient, letter: Letter, names: Names = {}): Promise<undefined | 'unreachable'> {
    const address = await this.#addressOf(person)
    if (address === undefined) return 'unreachable'
    await this.#post(address, letter, names)
    return undefined
  }

  async #post(address: string, { subject, text, html }: Letter, { id, inReplyTo }: Names = {}): Promise<void> {
    const { hostname } = new URL(this.#desk.address())
    const named = (name: string) => `<${name}@${hostname.replace(/[[\]:]/g, '')}>`
    try {
      await this.#transport.sendMail({
        from: { ...this.#from },
        to: { name: '', address },
        envelope: { from: this.#from.address, to: [address] },
        subject,
        text,
        html,
        // No answer to it is wanted, not from a machine either (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        ...(id !== undefined && { messageId: named(id) }),
        ...(inReplyTo !== undefined && { inReplyTo: named(inReplyTo), references: [named(inReplyTo)] }),
      })
    } catch (error) {
      // What a server says of a letter may have the address in it.
      throw new Error(`the mail server did not take it (${codeOf(error)})`)
    }
  }

  async #addressOf({ principal, email: claimed }: Recipient): Promise<string | undefined> {
    const { ownAddresses = true, addressOf } = this.#options
    const own = ownAddresses ? await this.#own.find(principal) : undefined
    const found = own ?? claimed ?? (await addressOf?.(principal))
    return isAddress(found) ? found : undefined
  }

  async #begin({ principal, language }: Recipient, { body }: ChannelRequest): Promise<ChannelReply> {
    const address = isRecord(body) ? body.address : undefined
    if (!isAddress(address)) return { refused: '"address" is an address for e-mail.' }
    const now = this.#desk.clock.now()
    const mayHave = this.#codes.take(`of ${principal}`, now) && this.#codes.take(`to ${address.toLowerCase()}`, now)
    if (!mayHave) return 'too-many'
    const { codeSubject, code } = wordsFor(language)
    await this.#post(address, plainLetter(codeSubject, code(await this.#own.begin(principal, address))))
    return { done: {} }
  }

  async #confirm({ principal }: Recipient, { body }: ChannelRequest): Promise<ChannelReply> {
    const code = isRecord(body) ? body.code : undefined
    if (typeof code !== 'string' || code.length > 40) return { refused: '"code" is what was sent to the address.' }
    return (await this.#own.confirm(principal, code))
      ? { done: {} }
      : { refused: 'This is not the code, or not any more. Have another one sent.' }
  }

  async #remove(principal: string): Promise<ChannelReply> {
    await this.#own.remove(principal)
    return { done: {} }
  }
}

/** What a letter is called, and which one it is an answer to. */
interface Names {
  readonly id?: string
  readonly inReplyTo?: string
}

function codeOf(error: unknown): string {
  const { code, responseCode } = error instanceof Error ? (error as { code?: unknown; responseCode?: unknown }) : {}
  return (
    [code, responseCode].filter(part => typeof part === 'string' || typeof part === 'number').join(' ') || 'no code'
  )
}
