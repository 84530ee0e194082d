// What is shown beside a question. Threat: all of it is somebody's words, bytes and addresses. There is no markup in it that
// could be taken for ours; an image is one of four kinds, by its bytes, and in the ask itself; and nothing is loaded from
// another site: what is there is opened by a click, in a window of its own, after the warnings.
import { inspectUrl, visible } from '@beckon/core'
import {
  type Block,
  blocksIn,
  changesLineEnds,
  type DiffBlock,
  type DiffRun,
  diffRuns,
  type ImageBlock,
  type TableBlock,
  type TableCell,
} from '@beckon/core/blocks'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { type BlockWords, blockWords } from '../../strings/block-words.js'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'
import { controls, theme } from '../theme.js'
import { words } from '../untrusted.js'
import { blocksStyles } from './blocks-styles.js'
import { markdownPart } from './markdown-part.js'

export class BlocksElement extends LitElement {
  static override properties: PropertyDeclarations = {
    blocks: { attribute: false },
    language: { attribute: false },
    opensLinks: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, blocksStyles]

  declare blocks: readonly Block[]
  declare language: Language
  /** Where an ask itself leads to a page, no other link can be clicked. */
  declare opensLinks: boolean
  readonly #unfolded = new WeakSet<DiffRun>()

  protected override render(): TemplateResult {
    return html`${this.blocks.map(block => this.#section(block))}`
  }

  #section(block: Block): TemplateResult {
    const title = 'title' in block ? block.title : undefined
    const language = block.kind === 'code' ? block.language : undefined
    return html`<section class=${block.kind}>
      ${title === undefined ? nothing : html`<h3>${words(title)}</h3>`}${language === undefined ? nothing : html`<p class="quiet">${words(language)}</p>`}${this.#block(block)}
    </section>`
  }

  #block(block: Block): TemplateResult {
    const said = blockWords(this.language.tag)
    switch (block.kind) {
      case 'markdown':
        return markdownPart(block.text, said.code)
      case 'diff':
        return this.#diff(block, said)
      case 'table':
        return tablePart(block, said)
      case 'code':
        return fixedPart(block.text, block.title ?? said.code)
      case 'json':
        return fixedPart(JSON.stringify(block.value, null, 2), block.title ?? said.code)
      case 'image':
        return this.#image(block, said)
      case 'link':
        return this.#link(block.url, this.language.strings.openSite)
    }
  }

  /** Someone who has it read out hears what each run of lines is; a region that scrolls can be reached by the keyboard. */
  #diff(block: DiffBlock, said: BlockWords): TemplateResult {
    const { before, after, title } = block
    if (before === after) return html`<p class="quiet">${said.nothingChanged}</p>`
    const runs = runsOf.get(block) ?? diffRuns(before, after)
    runsOf.set(block, runs)
    return html`<div class="lines" dir="ltr" tabindex="0" role="region" aria-label=${visible(title ?? said.changes)}>
        ${runs.map(run => (run.kind === 'skipped' ? this.#skipped(run, said) : runPart(run, said)))}
      </div>
      ${changesLineEnds(before, after) ? html`<p class="quiet">${said.lineEndsChange}</p>` : nothing}`
  }

  /** Unchanged lines are a click away; they may be thousands. */
  #skipped(run: DiffRun, said: BlockWords): TemplateResult {
    if (this.#unfolded.has(run)) return runPart({ ...run, kind: 'same' }, said)
    const unfold = (): void => {
      this.#unfolded.add(run)
      this.requestUpdate()
    }
    return html`<button type="button" class="skipped" dir="auto" @click=${unfold}>${said.unchanged(run.texts.length)}</button>`
  }

  #image(block: ImageBlock, said: BlockWords): TemplateResult {
    if ('data' in block) return html`<img src="data:${block.type};base64,${block.data}" alt=${visible(block.alt)} />`
    return html`<p class="quiet">${said.imageElsewhere}</p>
      <p dir="auto">${visible(block.alt)}</p>
      ${this.#link(block.url, said.openImage)}`
  }

  #link(url: string, label: (host: string) => string): TemplateResult {
    const { strings } = this.language
    const link = inspectUrl(url, { allowHttp: true })
    if (link.kind === 'refused')
      return html`<p class="warning danger">${icon('warning')}<span>${strings.urlRefused(link)} ${strings.notOpened}</span></p>`
    const isDangerous = link.warnings.some(({ level }) => level === 'danger')
    return html`<p class="address" dir="ltr">${link.before}<strong>${link.host}</strong>${link.after}</p>
      ${link.displayHost === link.host ? nothing : html`<p class="quiet"><bdi dir="ltr">${link.displayHost}</bdi></p>`}
      ${link.warnings.map(
        warning =>
          html`<p class="warning ${warning.level}">${icon(warning.level === 'danger' ? 'warning' : 'info')}<span>${strings.urlWarning(warning, link)}</span></p>`,
      )}
      ${
        this.opensLinks
          ? html`<a
              class="button small ${isDangerous ? 'risky' : ''}"
              href=${link.url}
              target="_blank"
              rel="noopener noreferrer"
              referrerpolicy="no-referrer"
              >${icon('outside', 16)}<bdi>${(isDangerous ? strings.openAnyway : label)(link.displayHost)}</bdi></a
            >`
          : nothing
      }`
  }
}

const runsOf = new WeakMap<DiffBlock, readonly DiffRun[]>()
const signs = { removed: '−', added: '+' } as const

/** However many lines: one element. */
function runPart({ kind, texts }: DiffRun, said: BlockWords): TemplateResult {
  const text = html`<span class="code">${texts.map(visible).join('\n')}</span>`
  if (kind !== 'removed' && kind !== 'added') return html`<div><span class="sign"></span>${text}</div>`
  const column = texts.map(() => signs[kind]).join('\n')
  return html`<div class=${kind}><span class="sign" aria-hidden="true">${column}</span><span class="sr">${said[kind]}</span>${text}</div>`
}

function tablePart({ columns, rows, title }: TableBlock, said: BlockWords): TemplateResult {
  return html`<div class="wide" tabindex="0" role="region" aria-label=${visible(title ?? said.table)}>
    <table>
      <thead><tr>${columns.map((name, at) => html`<th scope="col" class=${isOfNumbers(rows, at) ? 'number' : ''}>${words(name)}</th>`)}</tr></thead>
      <tbody>${rows.map(row => html`<tr>${row.map(cellPart)}</tr>`)}</tbody>
    </table>
  </div>`
}

/** A name stands over what it names. */
function isOfNumbers(rows: TableBlock['rows'], column: number): boolean {
  return rows.length > 0 && rows.every(row => typeof row[column] === 'number')
}

function cellPart(cell: TableCell): TemplateResult {
  return html`<td class=${typeof cell === 'number' ? 'number' : ''}>${cell === null ? nothing : words(String(cell))}</td>`
}

function fixedPart(text: string, label: string): TemplateResult {
  return html`<pre dir="ltr" tabindex="0" role="region" aria-label=${visible(label)}>${visible(text)}</pre>`
}

const known = new WeakMap<object, readonly Block[]>()

/** The blocks of a request, by its `_meta`, which never changes. */
export function readBlocks(meta: unknown): readonly Block[] {
  if (typeof meta !== 'object' || meta === null) return []
  const blocks = known.get(meta) ?? blocksIn(meta)
  known.set(meta, blocks)
  return blocks
}

export function defineBlocks(): void {
  if (customElements.get('beckon-blocks') === undefined) customElements.define('beckon-blocks', BlocksElement)
}
