import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from './find-program.mjs'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-programs-'))
  for (const [place, name, mode] of /** @type {const} */ ([
    ['first', 'plain-text', 0o644],
    ['first', 'both', 0o755],
    ['second', 'both', 0o755],
    ['second', 'plain-text', 0o755],
    ['elsewhere', 'hidden', 0o755],
  ])) {
    mkdirSync(join(folder, place), { recursive: true })
    writeFileSync(join(folder, place, name), '')
    chmodSync(join(folder, place, name), mode)
  }
  mkdirSync(join(folder, 'first', 'a-folder'))
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('findProgram', () => {
  /** @param {...string} names */
  const find = (...names) => {
    const path = [join(folder, 'first'), join(folder, 'second')].join(delimiter)
    return findProgram(names, { path, folders: [join(folder, 'elsewhere')] })
  }

  it('takes the first on the PATH', () => {
    expect(find('both')).toBe(join(folder, 'first', 'both'))
  })

  it('passes over what cannot be run', () => {
    expect(find('plain-text')).toBe(join(folder, 'second', 'plain-text'))
    expect(find('a-folder')).toBeUndefined()
  })

  it('looks in the other folders after the PATH, and for each name in turn', () => {
    expect(find('absent', 'hidden')).toBe(join(folder, 'elsewhere', 'hidden'))
  })

  it('finds nothing on an empty PATH', () => {
    expect(findProgram(['both'], { path: '' })).toBeUndefined()
  })
})
