// Threat: a file that says it is something else. What it is, its first bytes say; what it is called only chooses between kinds
// of text, which look alike. Not defended: a file that is two things at once is what it begins as.

/** So many bytes are looked at. */
export const sniffedBytes = 4_096

const signatures: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['audio/wav', 8, 'WAVE'],
  ['application/pdf', 0, '%PDF-'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['application/vnd.rar', 0, 'Rar!\x1a\x07'],
  ['application/x-7z-compressed', 0, '7z\xbc\xaf\x27\x1c'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/mpeg', 0, 'ID3'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
  ['application/x-msdownload', 0, 'MZ'],
  ['application/x-elf', 0, '\x7fELF'],
  ['application/wasm', 0, '\0asm'],
]

/** Documents that are archives, by the folder that they have in them. */
const offices = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
] as const

const texts: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
}

/** What a file is, by its beginning. */
export function contentType(start: Uint8Array, name: string): string {
  const binary = Buffer.from(start).toString('latin1')
  const found = signatures.find(([, at, bytes]) => binary.startsWith(bytes, at))
  if (found !== undefined && isContained(found[0], binary)) return found[0]
  if (binary.startsWith('PK\x03\x04'))
    return offices.find(([inside]) => binary.includes(inside))?.[1] ?? 'application/zip'
  if (!isText(start)) return 'application/octet-stream'
  const begin = binary
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .slice(0, 1_000)
    .toLowerCase()
  if (/^<(?:!doctype html|html|head|body|script)/.test(begin)) return 'text/html'
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg/.test(begin)) return 'image/svg+xml'
  if (begin.startsWith('<?xml')) return 'application/xml'
  return texts[/\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ''] ?? 'text/plain'
}

/** What names its kind behind the first bytes begins with a container of that kind, which no text does. */
function isContained(type: string, binary: string): boolean {
  if (type === 'image/webp' || type === 'audio/wav') return binary.startsWith('RIFF')
  // The first box, which has the brands, is short: its size begins with zeros.
  return type !== 'video/mp4' || binary.startsWith('\0\0')
}

/** UTF-8 without anything that no text has. The last character may be cut off. */
function isText(start: Uint8Array): boolean {
  for (let cut = 0; cut < 4; cut++) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(start.subarray(0, start.length - cut))
      return !/(?![\t\n\f\r])\p{Cc}/u.test(text)
    } catch {}
  }
  return false
}

/** Whether a type is one of those that are taken: `image/png`, `image/*`. No list takes any. */
export function isTaken(type: string, types: readonly string[]): boolean {
  return (
    types.length === 0 || types.some(one => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
  )
}
