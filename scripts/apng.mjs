// Several PNGs as one that moves: https://www.w3.org/TR/png-3/#apng-frame-based-animation. Their pixels are not touched.

import { crc32 } from 'node:zlib'

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/**
 * @param {readonly { png: Buffer, ms: number }[]} frames all of one size and kind; `ms` is how long each is shown
 * @returns {Buffer} which begins again after the last
 */
export function animate(frames) {
  let sequence = 0
  const parts = frames.map(({ png }) => chunksOf(png))
  const header = parts[0]?.find(({ type }) => type === 'IHDR')?.data
  if (header === undefined) throw new RangeError('There is no frame.')
  const body = parts.flatMap((chunks, index) => {
    if (!chunks.find(({ type }) => type === 'IHDR')?.data.equals(header))
      throw new RangeError('The frames differ in size or kind.')
    const control = Buffer.alloc(26)
    control.writeUInt32BE(sequence++, 0)
    header.copy(control, 4, 0, 8)
    control.writeUInt16BE(frames[index]?.ms ?? 0, 20)
    control.writeUInt16BE(1_000, 22)
    const data = chunks.filter(({ type }) => type === 'IDAT').map(chunk => chunk.data)
    // The first frame is the whole picture where nothing can move.
    if (index === 0) return [chunk('fcTL', control), ...data.map(one => chunk('IDAT', one))]
    return [chunk('fcTL', control), ...data.map(one => chunk('fdAT', Buffer.concat([number(sequence++), one])))]
  })
  const animation = Buffer.concat([number(frames.length), number(0)])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('acTL', animation),
    ...body,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** @param {Buffer} png */
export function chunksOf(png) {
  if (!png.subarray(0, 8).equals(signature)) throw new RangeError('This is not a PNG.')
  /** @type {{ type: string, data: Buffer }[]} */
  const chunks = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([number(data.length), named, number(crc32(named))])
}

/** @param {number} value */
function number(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
