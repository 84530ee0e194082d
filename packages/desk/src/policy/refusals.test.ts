import { readFileSync } from 'node:fs'
import { englishFieldProblems } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { codeOfStatus, refusals } from './refusals.js'

describe('the codes of refusals', () => {
  it('are all in the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/desk.md', import.meta.url), 'utf8')
    const missing = [...Object.keys(refusals), 'recorded'].filter(code => !page.includes(`\`${code}\``))
    expect(missing).toEqual([])
  })

  it('have what is wrong with an answer in the documentation, too', () => {
    const page = readFileSync(new URL('../../../../docs/desk.md', import.meta.url), 'utf8')
    expect(Object.keys(englishFieldProblems).filter(code => !page.includes(`\`${code}\``))).toEqual([])
  })

  it('are there for an answer that has only a status, and for none that is no refusal', () => {
    expect([401, 403, 405, 429, 503].map(codeOfStatus)).toEqual([
      'sign-in-required',
      'not-allowed',
      'method-not-allowed',
      'too-many',
      'unavailable',
    ])
    expect([200, 303, 500].map(codeOfStatus)).toEqual([undefined, undefined, undefined])
  })
})
