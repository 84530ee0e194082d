// Threat: an agent's tool, or anyone who wrote to it, sends a link that a person would not open if they saw where it leads.
// So a link is read the way a browser reads it, shown the way the browser will use it (`url`, always ASCII), and what
// was written otherwise than it acts is said. Forms that programs read in different ways are refused.
//
// Deliberately not defended: whether the site is honest, where it redirects to, which part of the host was registered
// by whom (that needs the Public Suffix List; the whole host is emphasised), and the letters that `host-name.ts` names.

import { readHostName } from './host-name.js'
import { danger, note, type UrlWarning } from './url-warning.js'

export interface InspectUrlOptions {
  /** Lets plain `http:` pass, with a warning, also where it leads off this device. */
  allowHttp?: boolean
}

/** Why a link must not be opened at all. */
export type UrlRefusal = 'not-absolute' | 'scheme' | 'malformed' | 'insecure'

export interface RefusedUrl {
  kind: 'refused'
  reason: UrlRefusal
  /** One plain sentence for the person. */
  message: string
}

export interface InspectedUrl {
  kind: 'ok'
  /** The whole address as the browser will use it: show and open this one, never the text it came from. */
  url: string
  scheme: 'http' | 'https'
  /** The host that the browser connects to, in ASCII; `before + host + after` is `url`, for emphasis. */
  host: string
  before: string
  after: string
  /** The host in its own letters where that is safe, else in ASCII. Show it isolated (`<bdi>`), left to right. */
  displayHost: string
  /** Only where it is not the scheme's own. */
  port?: number
  /** Dangers first. */
  warnings: UrlWarning[]
}

export type UrlInspection = RefusedUrl | InspectedUrl

const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/
const IP_ADDRESS = /^(?:\[.+|\d+(?:\.\d+){3})$/
const DNS_NAME = /^(?=.{1,254}$)(?:[\w-]{1,63}(?:\.|$))+$/
// Format characters, but for the joiners, which some scripts and emoji need; the host has its own check.
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/u
const UNENCRYPTED = 'The connection is not encrypted: others can read and change it.'
const EMBEDDED = /[^.]+\.com(?=\.[^.]+\.[^.])/

/**
 * Says what a person must see, and be warned of, before opening a link that a tool sent.
 *
 * @example
 * const link = inspectUrl('https://bank.com@evil.com/login')
 * if (link.kind === 'ok') show(link.before, link.host, link.after, link.warnings) // host: 'evil.com', kind: 'user-info'
 */
export function inspectUrl(url: string, options: InspectUrlOptions = {}): UrlInspection {
  const text = url.trim()
  if (/\p{Cc}/u.test(text)) return malformed()
  const scheme = /^[a-z][a-z\d+.-]*(?=:)/i.exec(text)?.[0].toLowerCase()
  if (!scheme) return refused('not-absolute', 'This is not a complete web address.')
  if (scheme !== 'https' && scheme !== 'http') return refused('scheme', 'Only web addresses (https) can be opened.')

  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (!authority || /\\/.test(authority) || !URL.canParse(text)) return malformed()
  const { href, hostname: host, port, username, password } = new URL(text)
  const isIp = IP_ADDRESS.test(host)
  if (!isIp && !DNS_NAME.test(host)) return malformed()
  const isLoopback = LOOPBACK.test(host)
  const insecure = scheme === 'http' && !isLoopback
  if (insecure && !options.allowHttp) return refused('insecure', UNENCRYPTED)

  const name = readHostName(host)
  const embedded = EMBEDDED.exec(host)
  const warnings = [
    (username || password) && danger('user-info', `What stands before "@" is not the site: it leads to ${host}.`),
    isDisguised(authority, host, name.unicode) &&
      danger('disguised', `This was written in a misleading way: it leads to ${host}.`),
    INVISIBLE.test(text) && danger('invisible', 'This was written with invisible characters.'),
    isIp && !isLoopback && danger('ip-address', `${host} is a number, not the name of a site.`),
    insecure && danger('insecure', UNENCRYPTED),
    ...name.warnings,
    embedded && note('embedded-domain', `This is not "${embedded[0]}": the end of the name counts.`, embedded[0]),
    isLoopback
      ? note('loopback', 'This leads to a program on the device you open it on.')
      : port && note('port', `This uses port ${port}.`),
  ].filter(warning => !!warning)

  const start = href.lastIndexOf('@', href.indexOf('/', 8)) + 1 || scheme.length + 3
  return {
    kind: 'ok',
    url: href,
    scheme,
    host,
    before: href.slice(0, start),
    after: href.slice(start + host.length),
    displayHost: name.display,
    ...(port && { port: Number(port) }),
    warnings: warnings.sort((a, b) => a.level.localeCompare(b.level)),
  }
}

// Percent-encoding, full-width letters and dots, soft hyphens, and IPv4 in decimal, hexadecimal or octal all show here.
function isDisguised(authority: string, host: string, unicode: string): boolean {
  const written = authority
    .replace(/^.*@|\.?(?::\d*)?$/g, '')
    .normalize('NFC')
    .toLowerCase()
  return !written.startsWith('[') && written !== host.replace(/\.$/, '') && written !== unicode
}

function malformed(): RefusedUrl {
  return refused('malformed', 'This is not a proper web address.')
}

function refused(reason: UrlRefusal, message: string): RefusedUrl {
  return { kind: 'refused', reason, message }
}
