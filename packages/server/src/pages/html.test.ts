import { describe, expect, it } from 'vitest'
import { Html, html } from './html.js'

describe('html', () => {
  it('escapes every text, wherever it stands', () => {
    expect(html`<p title="${'"><script>'}">${"<b>'&"}</p>`.toString()).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&#39;&amp;</p>',
    )
  })

  it('keeps HTML as it is, puts lists together, and leaves nothing out as nothing', () => {
    const items = ['a', '<b>'].map(item => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>${undefined}${false}${0}`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0')
  })

  it('lets no text out of its place', () => {
    const every = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).join('')
    expect(html`${every}`.toString()).not.toMatch(/[<>"']/)
  })

  it('is not fooled by what looks like HTML', () => {
    const lookalike = { toString: () => '<script>' } as unknown as string
    expect(html`${[String(lookalike)]}`.toString()).toBe('&lt;script&gt;')
    expect(html`${new Html('<i>')}`.toString()).toBe('<i>')
  })
})
