// Threat: a name that reads as another one. Letters of other scripts that look Latin, scripts mixed within a label,
// symbols and stroke letters that pass for "/" or ".", marks that vanish over a letter, right-to-left labels that a
// screen reorders. Names follow Unicode TR39 "highly restrictive": one script, or Latin with the scripts of Japanese,
// Chinese or Korean.
//
// Deliberately not defended, since it cannot be told without lists of brands or false alarms: plain ASCII imitations
// (`paypa1`, `rnicrosoft`, `bank-login.com`), accents on Latin letters (`googlé`: a note names the letter), and scripts
// other than Cyrillic, Greek and Armenian that merely resemble Latin in some fonts.

import { decodePunycode } from './punycode.js'
import { danger, note, type UrlWarning } from './url-warning.js'

/** A host name as a person may read it. */
export interface HostName {
  /** Every label decoded, safe to show or not. */
  unicode: string
  /** The Unicode form where it is safe to show, else the name as given. */
  display: string
  warnings: UrlWarning[]
}

// The recommended scripts of Unicode UAX 31 by their codes, then the usual combinations.
const SCRIPTS =
  'Latn Cyrl Grek Armn Arab Beng Deva Ethi Geor Gujr Guru Hang Hebr Knda Khmr Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt LatnHaniHiraKana LatnHaniBopo LatnHaniHang'.split(
    ' ',
  )

const IMITATING = 'асԁеԍһіјӏорԛѕԝхуүѵѡαγικνορτυχωօոսհյցզգա'
const IMITATED = 'acdeghijlopqswxyyvwayikvoptuxwonuhjgqqw'

// Letters, and marks of scripts that need them; none that is phonetic, a click, a modifier or a combining accent.
const ORDINARY = /^(?:[a-z\d-]|(?<=l)·(?=l)|(?![\u0300-\u036fǀ-ǃɐ-ɒɜ-ɢɤ-ʯᴀ-ᶿⱠ-Ɀ꜠-ꟿꬰ-꭯])[\p{Ll}\p{Lo}\p{M}々ー])+$/u
// East Asian letters that are but a stroke, with no neighbour of their own kind: ASCII stands on both sides.
const STROKE = /(?:^|[ -~])[ノソゾンー一丨丶丿ㄧ](?:$|[ -~])/
const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Thaa}][^.]*\.[^a-z]/u
const BEYOND_ASCII = /[^ -~]/

/** Decodes a host name in its ASCII form, and says what about its letters may mislead. */
export function readHostName(host: string): HostName {
  const labels = host.replace(/\.$/, '').split('.')
  const decoded = labels.map(decodeLabel)
  const unicode = decoded.map((text, i) => text ?? labels[i]).join('.')
  const tld = unicode.slice(unicode.lastIndexOf('.') + 1)
  const atHome = labels.length > 1 && (BEYOND_ASCII.test(tld) || /^(?:gr|am)$/.test(tld))
  const warnings = labels.flatMap((label, i) => inspectLabel(label, decoded[i], atHome))
  if (RIGHT_TO_LEFT.test(unicode) && /[a-z]/.test(unicode))
    warnings.push(note('reordered', 'Parts of the name run from right to left.'))

  const safe = warnings.every(warning => warning.kind === 'punycode')
  return { unicode, display: safe ? unicode : labels.join('.'), warnings }
}

function decodeLabel(label: string): string | undefined {
  return label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label
}

function inspectLabel(label: string, text: string | undefined, atHome: boolean): UrlWarning[] {
  if (text === label) return []
  if (text === undefined || !isOrdinary(text))
    return [danger('odd-letters', `"${label}" has characters that are unusual in names.`, label)]

  const reading = Array.from(text, letter => IMITATED[IMITATING.indexOf(letter)] ?? letter).join('')
  const isOneScript = SCRIPTS.some(script => isWrittenIn(script, text))
  if (!BEYOND_ASCII.test(reading) && !(isOneScript && atHome))
    return [
      danger('look-alike', `"${label}" has letters of another alphabet, and looks like "${reading}".`, label, reading),
    ]
  if (!isOneScript) return [danger('mixed-script', `"${label}" has letters of different alphabets.`, label)]
  const letters = text.replace(/[ -~]/g, '')
  return [note('punycode', `"${label}" has the letters "${letters}".`, label, letters)]
}

function isOrdinary(text: string): boolean {
  return (
    BEYOND_ASCII.test(text) &&
    ORDINARY.test(text) &&
    text.normalize('NFKC').toLowerCase() === text &&
    !(/[a-z]/.test(text) && STROKE.test(text)) &&
    Array.from(text).every(letter => SCRIPTS.some(script => isWrittenIn(script, letter)))
  )
}

function isWrittenIn(script: string, text: string): boolean {
  return new RegExp(`^[-\\d·${script.replace(/.{4}/g, '\\p{scx=$&}')}]+$`, 'u').test(text)
}
