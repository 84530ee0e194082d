import { expect, it } from 'vitest'
import { contentType } from './content-type.js'

const typeOf = (start: string) => contentType(Buffer.from(start, 'latin1'), 'a.bin')

it.each([
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\x10\0\0\0WAVEfmt ', 'audio/wav'],
  ['\0\0\0\x18ftypmp42', 'video/mp4'],
  ['<script>WEBP=1</script>', 'text/html'],
  ['<!--ftyp--><script>1</script>', 'text/plain'],
])('takes %j for what its container is', (start, type) => {
  expect(typeOf(start)).toBe(type)
})
