import { describe, expect, it } from 'vitest'
import { isInstalled } from './install.mjs'

const wanted = {
  packages: {
    '': { version: '0.0.0' },
    'packages/core': { version: '0.1.0' },
    'node_modules/@beckon/core': { link: true },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/binding-for-another-platform': { version: '1.0.0', optional: true },
  },
}
const installed = {
  packages: {
    'packages/core': { version: '0.0.0' },
    'node_modules/@beckon/core': { link: true },
    'node_modules/zod': { version: '4.0.0' },
  },
}

/** @param {Record<string, import('./install.mjs').LockedPackage>} packages */
const installedWith = packages => ({ packages: { ...installed.packages, ...packages } })

describe('isInstalled', () => {
  it('is satisfied without the packages of other platforms, and whatever version our own packages have', () => {
    expect(isInstalled(wanted, installed)).toBe(true)
  })

  it('notices another version', () => {
    expect(isInstalled(wanted, installedWith({ 'node_modules/zod': { version: '3.0.0' } }))).toBe(false)
  })

  it('notices a package that is missing', () => {
    const { 'node_modules/zod': _, ...packages } = installed.packages
    expect(isInstalled(wanted, { packages })).toBe(false)
  })

  it('notices a package that is no longer wanted', () => {
    expect(isInstalled(wanted, installedWith({ 'node_modules/left-pad': { version: '1.3.0' } }))).toBe(false)
  })

  it('notices a published package where our own belongs', () => {
    expect(isInstalled(wanted, installedWith({ 'node_modules/@beckon/core': { version: '0.1.0' } }))).toBe(false)
  })
})
