import { defineConfig } from 'vitepress'
import { drawSequence } from '../sequence-diagram.mjs'

/** @param {string} text @param {...string} pages */
const group = (text, ...pages) => ({ text, items: pages.map(page => ({ text: title(page), link: `/${page}` })) })

/** @param {string} page */
function title(page) {
  const words = { cli: 'The command', desk: 'The desk', inbox: 'The inbox', proxy: 'The proxy', 'url-asks': 'URL asks' }
  const text = page.replaceAll('-', ' ')
  return Object.hasOwn(words, page) ? words[page] : text.charAt(0).toUpperCase() + text.slice(1)
}

export default defineConfig({
  title: 'Beckon',
  description: 'Tools that ask a person and wait for the answer, over every version of the Model Context Protocol.',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: true,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Limits', link: '/limits' },
    ],
    sidebar: {
      '/reference/': [{ text: 'Packages', items: packages() }],
      '/': [
        group('Begin', 'getting-started', 'how-it-works', 'existing-server', 'coming-from'),
        group(
          'Ask',
          'asking',
          'showing-what-is-decided',
          'files',
          'url-asks',
          'calls',
          'when-nobody-is-there',
          'testing',
        ),
        group('Serve', 'serving', 'signing-in', 'sessions', 'middleware', 'stores'),
        group('Answer together', 'desk', 'inbox', 'notifications', 'rules', 'receipts', 'agents'),
        group('Operate', 'deploying', 'cli', 'proxy', 'scale', 'limits', 'security', 'threat-model', 'keys', 'fuzzing'),
        group('Applications', 'gateway', 'app'),
        group('The project', 'architecture', 'contributing', 'peers'),
      ],
    },
  },
  markdown: {
    config(markdown) {
      const { fence } = markdown.renderer.rules
      markdown.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index]?.info === 'mermaid'
          ? `<figure>${drawSequence(tokens[index].content)}</figure>`
          : (fence?.(tokens, index, ...rest) ?? '')
    },
  },
})

function packages() {
  const names = ['beckon', 'app', 'core', 'desk', 'gateway', 'host', 'inbox', 'postgres', 'redis', 'sqlite']
  return names.map(name => ({ text: name === 'beckon' ? name : `@beckon/${name}`, link: `/reference/${name}/` }))
}
