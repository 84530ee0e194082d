import { code, diff, image, json, link, markdown, table } from '@beckon/core/blocks'
import { expect, it } from 'vitest'
import { blocksHtml } from './blocks.js'
import { createPages, html } from './index.js'

const attack = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

it('shows every block on our own page, with HTML in every string, as text', () => {
  const page = blocksHtml([
    markdown(
      `# ${attack}\n> ${attack}\n\n1. ${attack}\n- **${attack}** _a_ \`${attack}\`\n\n---\n\`\`\`\n${attack}\n\`\`\`\n[${attack}](https://a.example)`,
    ),
    diff(attack, `${attack}\nb`, { title: attack }),
    diff(Array.from({ length: 9 }, () => 'a').join('\n'), `${Array.from({ length: 9 }, () => 'a').join('\n')}\nb`),
    table([{ [attack]: attack, none: null }], { title: attack }),
    code(attack, attack),
    json({ [attack]: attack }),
    image(`data:image/png;base64,${pixel}`, { alt: attack }),
    image('https://a.example/b.png', { alt: attack }),
    link('https://bank.example@evil.example/'),
    link('javascript:alert(1)'),
  ]).toString()
  expect(page).not.toMatch(/<script|<img src=x/)
  expect(page.match(/<img /g)).toHaveLength(1)
  expect(page).toContain('<ins>+ b\n</ins>')
  expect(page).toContain('<strong>evil.example</strong>')
  expect(page).not.toContain('href="javascript:')
})

it('draws everything that an answer is for', () => {
  const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n')
  const page = blocksHtml([
    markdown('7. seven\n9. nine\n\n```pay all of it\na\n```'),
    code('a', 'bash', { title: 'Script' }),
    code('a', 'sql'),
    diff(lines, `${lines}\r\nb`),
  ]).toString()
  for (const part of ['<li value="9">', 'pay all of it', '>bash<', '>sql<', 'line 0', 'How lines end changes, too.'])
    expect(page).toContain(part)
})

it('lets a page show an image that is in it, and no other', () => {
  const pages = createPages({}, 'shop', false)
  const policyOf = (hasImages: boolean) =>
    pages.show({ title: 'a', body: html`a`, hasImages }).headers.get('content-security-policy')
  expect(policyOf(true)).toContain('img-src data:;')
  expect(policyOf(false)).not.toContain('img-src')
})
