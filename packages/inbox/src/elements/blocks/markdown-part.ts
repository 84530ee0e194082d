import { visible } from '@beckon/core'
import { type MarkdownInline, type MarkdownNode, readMarkdown } from '@beckon/core/blocks'
import { html, nothing, type TemplateResult } from 'lit'

/** Markdown as elements that are known: there is none for markup of others, or for a link. */
export function markdownPart(text: string, codeLabel: string): TemplateResult {
  const nodePart = (node: MarkdownNode): TemplateResult => drawNode(node, nodePart, codeLabel)
  return html`<div class="markdown" dir="auto">${readMarkdown(text).map(nodePart)}</div>`
}

function drawNode(
  node: MarkdownNode,
  nodePart: (node: MarkdownNode) => TemplateResult,
  codeLabel: string,
): TemplateResult {
  switch (node.kind) {
    case 'heading':
      // Under the ask's own, whatever level its author chose.
      return html`<p class="heading" role="heading" aria-level="3">${inlineParts(node.content)}</p>`
    case 'paragraph':
      return html`<p dir="auto">${inlineParts(node.content)}</p>`
    case 'quote':
      return html`<blockquote>${node.content.map(nodePart)}</blockquote>`
    case 'list': {
      const { numbers } = node
      if (numbers === undefined) return html`<ul>${node.items.map(item => html`<li>${item.map(nodePart)}</li>`)}</ul>`
      return html`<ol>${node.items.map((item, at) => html`<li value=${numbers[at] ?? nothing}>${item.map(nodePart)}</li>`)}</ol>`
    }
    case 'code':
      return html`${node.info === undefined ? nothing : html`<p class="quiet" dir="auto">${visible(node.info)}</p>`}<pre dir="ltr" tabindex="0" role="region" aria-label=${visible(node.info ?? codeLabel)}>${visible(node.text)}</pre>`
    case 'rule':
      return html`<hr />`
  }
}

function inlineParts(content: readonly MarkdownInline[]): (TemplateResult | string)[] {
  return content.map(inlinePart)
}

function inlinePart(part: MarkdownInline): TemplateResult | string {
  switch (part.kind) {
    case 'text':
      return visible(part.text)
    case 'code':
      return html`<code>${visible(part.text)}</code>`
    case 'strong':
      return html`<strong>${inlineParts(part.content)}</strong>`
    case 'emphasis':
      return html`<em>${inlineParts(part.content)}</em>`
  }
}
