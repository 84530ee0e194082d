// What is shown beside a question, on a page of our own. Nothing of it is markup, and nothing is loaded from elsewhere: an image
// is in the page itself, and one at another address is a link.
import { inspectUrl } from '@beckon/core'
import {
  type Block,
  changesLineEnds,
  type DiffRun,
  diffRuns,
  type ImageBlock,
  type MarkdownInline,
  type MarkdownNode,
  readMarkdown,
} from '@beckon/core/blocks'
import { type Html, html } from './html.js'

/** Blocks as HTML. */
export function blocksHtml(blocks: readonly Block[]): Html {
  return html`${blocks.map(block => html`<section class="block">${titleOf(block)}${blockHtml(block)}</section>`)}`
}

function titleOf(block: Block): Html | undefined {
  const title = 'title' in block ? block.title : undefined
  const language = block.kind === 'code' ? block.language : undefined
  if (title === undefined) return language === undefined ? undefined : html`<p class="quiet">${language}</p>`
  return html`<h2>${title}${language !== undefined && html` <span class="quiet">${language}</span>`}</h2>`
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'markdown':
      return markdownHtml(readMarkdown(block.text))
    case 'diff':
      return html`<pre class="diff" dir="ltr" tabindex="0">${diffRuns(block.before, block.after).map(diffRun)}</pre>
${changesLineEnds(block.before, block.after) && html`<p class="quiet">How lines end changes, too.</p>`}`
    case 'table':
      return html`<div class="wide" tabindex="0"><table><thead><tr>${block.columns.map(name => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${block.rows.map(row => html`<tr>${row.map(cell => html`<td>${cell === null ? '' : String(cell)}</td>`)}</tr>`)}</tbody></table></div>`
    case 'code':
      return html`<pre dir="ltr" tabindex="0">${block.text}</pre>`
    case 'json':
      return html`<pre dir="ltr" tabindex="0">${JSON.stringify(block.value, null, 2)}</pre>`
    case 'image':
      return imageHtml(block)
    case 'link':
      return linkHtml(block.url)
  }
}

const marks = { skipped: ' ', same: ' ', removed: '-', added: '+' } as const

function diffRun({ kind, texts }: DiffRun): Html {
  const lines = texts.map(text => html`${marks[kind]} ${text}${'\n'}`)
  switch (kind) {
    case 'skipped':
      return html`<details><summary class="quiet">  ${texts.length} unchanged</summary>${lines}</details>`
    case 'same':
      return html`${lines}`
    case 'removed':
      return html`<del>${lines}</del>`
    case 'added':
      return html`<ins>${lines}</ins>`
  }
}

function imageHtml(block: ImageBlock): Html {
  if ('url' in block) return html`<p>${block.alt}</p>${linkHtml(block.url)}`
  return html`<img src="data:${block.type};base64,${block.data}" alt="${block.alt}">`
}

function linkHtml(url: string): Html {
  const link = inspectUrl(url, { allowHttp: true })
  if (link.kind === 'refused') return html`<p class="warning">${link.message}</p>`
  const dangers = link.warnings.filter(({ level }) => level === 'danger')
  return html`<p class="host" dir="ltr"><a href="${link.url}" target="_blank" rel="noopener noreferrer">${link.before}<strong>${link.host}</strong>${link.after}</a></p>
${dangers.map(({ message }) => html`<p class="warning">${message}</p>`)}`
}

function markdownHtml(nodes: readonly MarkdownNode[]): Html {
  return html`${nodes.map(nodeHtml)}`
}

function nodeHtml(node: MarkdownNode): Html {
  switch (node.kind) {
    case 'heading':
      return html`<h2>${node.content.map(inlineHtml)}</h2>`
    case 'paragraph':
      return html`<p class="lines">${node.content.map(inlineHtml)}</p>`
    case 'quote':
      return html`<blockquote>${markdownHtml(node.content)}</blockquote>`
    case 'list': {
      const { numbers } = node
      const items = node.items.map(
        (item, at) => html`<li${numbers !== undefined && html` value="${numbers[at]}"`}>${markdownHtml(item)}</li>`,
      )
      return numbers === undefined ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`
    }
    case 'code':
      return html`${node.info !== undefined && html`<p class="quiet">${node.info}</p>`}<pre dir="ltr" tabindex="0">${node.text}</pre>`
    case 'rule':
      return html`<hr>`
  }
}

function inlineHtml(part: MarkdownInline): Html {
  switch (part.kind) {
    case 'text':
      return html`${part.text}`
    case 'code':
      return html`<code>${part.text}</code>`
    case 'strong':
      return html`<strong>${part.content.map(inlineHtml)}</strong>`
    case 'emphasis':
      return html`<em>${part.content.map(inlineHtml)}</em>`
  }
}
