import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { documents } from './document.js'
import { html } from './html.js'

const show = documents({ name: 'Shop', accent: '#1f5fd0', logoUrl: undefined } as Parameters<typeof documents>[0])

it('lets run the one script of a page, by its hash, and talk to this server alone', async () => {
  const script = 'document.title += "!"'
  const response = show({ title: 'Upload', body: html`<p>${'<script>evil()</script>'}</p>`, script, connects: true })
  const policy = response.headers.get('content-security-policy')
  const hash = createHash('sha256').update(script).digest('base64')
  expect(policy).toContain(`; script-src 'sha256-${hash}'; connect-src 'self';`)
  expect(policy).not.toContain('unsafe')
  expect((await response.text()).match(/<script>/g)).toHaveLength(1)
})

it('lets no script run on a page that has none', () => {
  const policy = show({ title: 'Go', body: html`<p>x</p>` }).headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'none'/)
  expect(policy).not.toMatch(/script-src|connect-src|img-src/)
})
