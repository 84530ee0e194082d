// Two texts side by side, to accept or not.
import { type Block, type DiffRun, diff, diffRuns } from '@beckon/core/blocks'
import type { Widget } from '../../author/widget.js'
import { defineWidget } from '../define-widget.js'
import { kit } from './kit.js'

const page = `${kit}
frame((ask, { form, send }) => {
  const { title = 'What changes', runs = [] } = ask.data ?? {}
  const extra = h('style', {}, '.diff { border-collapse: collapse; width: 100%; table-layout: fixed; font: 400 .875rem/1.5 var(--font-mono, ui-monospace, monospace) } .diff td { padding: 0 .625rem; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top } .diff th { padding: .375rem .625rem; text-align: start; font-family: var(--font-sans, system-ui, sans-serif); background: var(--sunken); position: sticky; top: 0 } col.n { width: 3.5rem } .no { color: var(--quiet); text-align: end; user-select: none } .del { background: color-mix(in oklab, var(--bad) 14%, var(--paper)) } .ins { background: color-mix(in oklab, var(--good) 14%, var(--paper)) } .skip button { width: 100%; min-height: 2rem; border: 0; border-radius: 0; background: var(--sunken); color: var(--quiet); font-weight: 400; font-family: var(--font-sans, system-ui, sans-serif) } .sr { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden } @media (max-width: 40rem) { .diff, .diff tbody, .diff tr, .diff td { display: block } .diff thead, .no, .diff td:empty { display: none } .both td:last-child { display: none } }')
  const cell = (text, className, said) => h('td', { className }, text === undefined ? undefined : [said ? h('span', { className: 'sr' }, said) : undefined, seen(text)])
  const line = (no, text, className = '', said) => [h('td', { className: 'no', ariaHidden: 'true' }, text === undefined ? '' : String(no)), cell(text, className, said)]
  const body = h('tbody')
  let [left, right] = [1, 1]
  const same = texts => texts.map(text => h('tr', { className: 'both' }, line(left++, text), line(right++, text)))
  for (let at = 0; at < runs.length; at++) {
    const { kind, texts } = runs[at]
    if (kind === 'skipped') {
      const from = [left, right]
      left += texts.length
      right += texts.length
      const row = h('tr', { className: 'skip' })
      const open = () => {
        const after = [left, right];
        [left, right] = from
        row.replaceWith(...same(texts));
        [left, right] = after
      }
      const held = h('td', { colSpan: 4 }, h('button', { type: 'button', onclick: open }, texts.length + (texts.length === 1 ? ' unchanged line' : ' unchanged lines')))
      row.append(held)
      body.append(row)
      continue
    }
    if (kind === 'same') { body.append(...same(texts)); continue }
    const removed = kind === 'removed' ? texts : []
    const added = kind === 'added' ? texts : runs[at + 1]?.kind === 'added' ? runs[++at].texts : []
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      body.append(h('tr', {}, line(left + row, removed[row], removed[row] === undefined ? '' : 'del', 'removed: '), line(right + row, added[row], added[row] === undefined ? '' : 'ins', 'added: ')))
    left += removed.length
    right += added.length
  }
  const head = h('thead', {}, h('tr', {}, h('th', { colSpan: 2, scope: 'colgroup' }, 'Before'), h('th', { colSpan: 2, scope: 'colgroup' }, 'After')))
  const comment = h('textarea', { id: 'comment', rows: 2, dir: 'auto', maxLength: 2000, value: ask.initial?.comment ?? '' })
  form.addEventListener('send', () => ask.answer(comment.value.trim() === '' ? {} : { comment: comment.value }))
  send.textContent = 'Accept'
  return [extra, h('div', { className: 'scroll', dir: 'ltr', role: 'region', tabIndex: 0, ariaLabel: seen(title) }, h('table', { className: 'diff' }, h('colgroup', {}, h('col', { className: 'n' }), h('col'), h('col', { className: 'n' }), h('col')), head, body)), h('label', { for: 'comment' }, 'Comment (optional)'), comment]
})
`

const schema = {
  type: 'object',
  properties: { comment: { type: 'string', title: 'Comment', maxLength: 2_000 } },
} as const

/** A change to accept: `reviewDiff` says which. */
export const diffWidget: Widget<typeof schema> = defineWidget({
  name: 'beckon-diff',
  title: 'Review a change',
  schema,
  module: page,
})

/** What `reviewDiff` gives to `ctx.elicit`. */
export interface DiffAsk {
  readonly widget: Widget<typeof schema>
  readonly data: { readonly title?: string; readonly runs: readonly DiffRun[] }
  readonly show: readonly Block[]
}

/**
 * A change side by side, to be accepted with a comment or declined. Where no widget is shown it is a block beside the question.
 * @example
 * const review = await ctx.elicit({ question: 'Save?', ...reviewDiff(before, after, { title: 'nginx.conf' }) })
 */
export function reviewDiff(before: string, after: string, { title }: { readonly title?: string } = {}): DiffAsk {
  const titled = title === undefined ? {} : { title }
  return { widget: diffWidget, data: { ...titled, runs: diffRuns(before, after) }, show: [diff(before, after, titled)] }
}
