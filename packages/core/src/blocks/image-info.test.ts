import { describe, expect, it } from 'vitest'
import { imageInfo } from './image-info.js'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap(part => (typeof part === 'string' ? [...part].map(c => c.charCodeAt(0)) : part)))
const zeros = (count: number) => Array.from({ length: count }, () => 0)
const webp = (chunk: string, rest: number[]) => bytes('RIFF', zeros(4), 'WEBP', chunk, zeros(4), rest, zeros(4))

describe('imageInfo', () => {
  it.each([
    ['image/png', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], zeros(4), 'IHDR', [0, 0, 1, 0], [0, 0, 0, 2]), 256, 2],
    ['image/gif', bytes('GIF89a', [3, 0, 4, 1]), 3, 260],
    ['image/webp', webp('VP8 ', [...zeros(6), 5, 0, 6, 0]), 5, 6],
    ['image/webp', webp('VP8L', [0x2f, 0x06, 0x00, 0x02, 0x00]), 7, 9],
    ['image/webp', webp('VP8X', [...zeros(4), 9, 0, 0, 10, 0, 1]), 10, 65_547],
    ['image/jpeg', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc2, 0, 17, 8, 0, 7, 0, 8]), 8, 7],
  ])('reads a %s by its content', (type, content, width, height) => {
    expect(imageInfo(content)).toEqual({ type, width, height })
  })

  it('reads bytes that are a part of others', () => {
    const gif = bytes('xxGIF87a', [3, 0, 4, 0]).subarray(2)
    expect(imageInfo(gif)).toEqual({ type: 'image/gif', width: 3, height: 4 })
  })

  it.each([
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', bytes('<html><script>alert(1)</script></html>', zeros(40))],
    ['nothing', bytes()],
    ['a PNG that ends too early', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], zeros(4), 'IHDR')],
    ['a PNG without a header', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], zeros(4), 'IDAT', zeros(20))],
    ['a WebP of an unknown kind', webp('VP9 ', zeros(20))],
    ['another RIFF', bytes('RIFF', zeros(4), 'WAVE', zeros(20))],
    ['a JPEG without a frame', bytes([0xff, 0xd8, 0xff, 0xc4, 0, 2, 0xff, 0xc8, 0, 2, 0xff, 0xcc, 0, 2], zeros(30))],
  ])('knows that %s is not an image that is shown', (_, content) => {
    expect(imageInfo(content)).toBeUndefined()
  })
})
