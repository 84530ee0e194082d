// What a letter says: plain text, and the same as simple HTML. No picture, no pixel, no link but to the inbox; and what a tool
// wrote is text, in the subject a line. Threat: words that read as if they were the letter's own, and addresses of which mail programs
// make links by themselves. So what is asked is set apart, as a quote is, and its addresses are written so that they are none. Not
// defended: a program that makes a link of a name alone, as of "evil.example".
import { visible } from '@beckon/core'
import type { Notice } from '../channel.js'
import type { LetterWords } from './words.js'

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const maxSubjectChars = 120
const maxMessageChars = 4_000

export function letterOf(notice: Notice, words: LetterWords, timeZone: string | undefined): Letter {
  const subject = words.asks(whoOf(notice), unlinked(notice.message))
  const blocks = blocksOf(notice, words, timeZone)
  return made(notice.reminder > 0 ? words.reminder(subject) : subject, [blocks], words)
}

export function digestOf(notices: readonly Notice[], words: LetterWords, timeZone: string | undefined): Letter {
  const [only] = notices
  if (only !== undefined && notices.length === 1) return letterOf(only, words, timeZone)
  return made(
    words.digest(notices.length),
    notices.map(notice => blocksOf(notice, words, timeZone)),
    words,
  )
}

export function plainLetter(subject: string, text: string): Letter {
  return { subject, text: `${text}\n`, html: page(paragraph(text)) }
}

/** `said` is of those who ask; the rest is the letter's own. */
type Block = { readonly text: string } | { readonly said: string } | { readonly link: string; readonly text: string }

function blocksOf(notice: Notice, words: LetterWords, timeZone: string | undefined): Block[] {
  const { server, asker, tool, message, isDestructive, expiresAt, link } = notice
  const from = [asker, server, tool].filter(part => part !== undefined).map(part => oneLine(unlinked(part)))
  const zone = timeZone ?? 'UTC'
  const format = new Intl.DateTimeFormat(words.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const input =
    notice.arguments === undefined
      ? []
      : [{ text: `${words.arguments}:` }, { said: shown(JSON.stringify(notice.arguments)) }]
  return [
    { text: from.join(' · ') },
    { said: shown(message) },
    ...input,
    ...(isDestructive ? [{ text: words.destructive }] : []),
    { text: words.until(`${format.format(expiresAt)} (${zone})`) },
    { text: words.open, link },
  ]
}

function made(subject: string, asks: readonly (readonly Block[])[], words: LetterWords): Letter {
  const inText = (block: Block) => {
    if ('said' in block) return block.said.replace(/^/gm, '> ')
    return 'link' in block ? `${block.text}: ${block.link}` : block.text
  }
  const inHtml = (block: Block) => {
    if ('said' in block) return `<blockquote>${paragraph(block.said)}</blockquote>`
    return 'link' in block
      ? `<p><a href="${escaped(block.link)}">${escaped(block.text)}</a></p>`
      : paragraph(block.text)
  }
  return {
    subject: clipped(oneLine(subject), maxSubjectChars),
    text: `${[...asks.map(blocks => blocks.map(inText).join('\n\n')), words.about].join('\n\n---\n\n')}\n`,
    html: page([...asks.map(blocks => blocks.map(inHtml).join('\n')), paragraph(words.about)].join('\n<hr>\n')),
  }
}

function whoOf({ asker, server }: Notice): string {
  return unlinked(asker ?? server)
}

function shown(text: string): string {
  return clipped(unlinked(text).trim(), maxMessageChars)
}

/** Words of others, with no address that a mail program makes a link of. */
function unlinked(text: string): string {
  return visible(text)
    .replace(/:(?=\/\/)/g, '[:]')
    .replace(/(?<=\bwww)\./gi, '[.]')
    .replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}-]{2,}(?::\d+)?\/)/gu, '[.]')
}

/** Nothing in it ends a header. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function page(body: string): string {
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${body}\n</body></html>\n`
}

function paragraph(text: string): string {
  return `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
