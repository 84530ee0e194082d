// Threat: a file that calls itself an image. What it is, and how large its picture would be, is read from its bytes; SVG, which
// can hold script, is none of these. Not defended: what a browser's own decoder makes of the rest of the bytes.
import type { ImageType } from './block.js'

/** What an image is, by its content. */
export interface ImageInfo {
  readonly type: ImageType
  readonly width: number
  readonly height: number
}

/** Reads the beginning of an image; undefined for anything that is not one of the kinds that are shown. */
export function imageInfo(bytes: Uint8Array): ImageInfo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return png(view) ?? gif(view) ?? webp(view) ?? jpeg(view)
  } catch {
    // It ends before it says how large it is.
    return undefined
  }
}

function png(view: DataView): ImageInfo | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || tag(view, 12) !== 'IHDR') return undefined
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function gif(view: DataView): ImageInfo | undefined {
  if (tag(view, 0) !== 'GIF8') return undefined
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

function webp(view: DataView): ImageInfo | undefined {
  if (tag(view, 0) !== 'RIFF' || tag(view, 8) !== 'WEBP') return undefined
  const type = 'image/webp'
  switch (tag(view, 12)) {
    case 'VP8 ':
      return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
    default:
      return undefined
  }
}

/** The segments of a JPEG, up to the one that begins a frame. */
function jpeg(view: DataView): ImageInfo | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

function tag(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
