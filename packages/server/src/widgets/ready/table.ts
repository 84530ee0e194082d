// Rows that can be sorted and chosen.
import { type TableCell, table } from '@beckon/core/blocks'
import type { Widget } from '../../author/widget.js'
import { defineWidget } from '../define-widget.js'
import { kit } from './kit.js'

const page = `${kit}
frame((ask, { form, send }) => {
  const { columns = [], rows = [], min = 0, max = rows.length } = ask.data ?? {}
  const chosen = new Set(ask.initial?.rows ?? [])
  const status = h('p', { className: 'quiet', role: 'status', dir: 'auto' })
  let sorted = { column: -1, isDown: false }
  const extra = h('style', {}, 'table { border-collapse: collapse; min-width: 100% } th, td { padding: .5rem .75rem; text-align: start; border-bottom: 1px solid var(--line); vertical-align: middle } thead :is(th, td) { position: sticky; top: 0; background: var(--sunken) } th button { border: 0; background: none; padding: .25rem 0; min-height: 2rem } .number { text-align: end; font-variant-numeric: tabular-nums } tr:has(:checked) td { background: var(--sunken) }')
  const all = h('input', { type: 'checkbox', ariaLabel: 'All rows', onchange: () => { for (const { id } of rows) all.checked ? chosen.add(id) : chosen.delete(id); changed(); fill() } })
  const heads = columns.map((name, at) => {
    const mark = h('span', { ariaHidden: 'true' })
    const head = h('th', { scope: 'col' }, h('button', { type: 'button', onclick: () => sort(at) }, h('bdi', {}, seen(name)), ' ', mark))
    return { head, mark }
  })
  const body = h('tbody')
  const tableElement = h('table', {}, h('thead', {}, h('tr', {}, h('td', {}, all), heads.map(({ head }) => head))), body)
  const changed = () => {
    all.checked = rows.length > 0 && chosen.size === rows.length
    all.indeterminate = chosen.size > 0 && chosen.size < rows.length
    status.textContent = chosen.size + ' of ' + rows.length + ' chosen' + (chosen.size < min ? '; choose at least ' + min : chosen.size > max ? '; choose at most ' + max : '')
    send.disabled = chosen.size < min || chosen.size > max
  }
  const toggle = (id, isOn) => { isOn ? chosen.add(id) : chosen.delete(id); changed(); ask.draft({ rows: [...chosen] }) }
  const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : String(a ?? '').localeCompare(String(b ?? ''), undefined, { numeric: true })
  function fill() {
    const order = [...rows]
    if (sorted.column >= 0) order.sort((a, b) => compare(a.cells[sorted.column], b.cells[sorted.column]) * (sorted.isDown ? -1 : 1))
    body.replaceChildren(...order.map(({ id, cells }) => h('tr', {},
      h('td', {}, h('input', { type: 'checkbox', checked: chosen.has(id), ariaLabel: seen(cells[0] ?? id), onchange: event => toggle(id, event.target.checked) })),
      cells.map(cell => h('td', { className: typeof cell === 'number' ? 'number' : '' }, h('bdi', {}, cell === null ? '' : seen(cell)))))))
  }
  function sort(column) {
    sorted = { column, isDown: sorted.column === column && !sorted.isDown }
    for (const [at, { head, mark }] of heads.entries()) {
      head.setAttribute('aria-sort', at === column ? (sorted.isDown ? 'descending' : 'ascending') : 'none')
      mark.textContent = at === column ? (sorted.isDown ? '↓' : '↑') : ''
    }
    fill()
    status.textContent = 'Sorted by ' + seen(columns[column]) + (sorted.isDown ? ', descending.' : ', ascending.')
  }
  ask.onDraft(({ rows: theirs }) => { chosen.clear(); for (const id of theirs ?? []) chosen.add(id); changed(); fill() })
  form.addEventListener('send', () => ask.answer({ rows: rows.map(({ id }) => id).filter(id => chosen.has(id)) }))
  send.textContent = 'Use these'
  changed()
  fill()
  return [extra, h('div', { className: 'scroll', role: 'region', tabIndex: 0, ariaLabel: 'Rows' }, tableElement), status]
})
`

/** Rows to choose from: `selectRows` says how. */
export const tableWidget: Widget = defineWidget({
  name: 'beckon-table',
  title: 'Choose rows',
  schema: { type: 'object', properties: {} },
  module: page,
})

export interface SelectRowsOptions {
  /** What tells rows apart: the property whose value is the answer. */
  readonly key: string
  /** Which properties are shown, in this order. Default: all that some row has. */
  readonly columns?: readonly string[]
  /** How many have to be chosen. Default: 1. */
  readonly min?: number
  readonly max?: number
}

/** What `selectRows` gives to `ctx.elicit`. */
export interface RowsAsk {
  readonly widget: Widget
  readonly data: {
    readonly columns: readonly string[]
    readonly rows: readonly { readonly id: string; readonly cells: readonly TableCell[] }[]
    readonly min: number
    readonly max: number
  }
  readonly schema: {
    readonly type: 'object'
    readonly properties: {
      readonly rows: {
        readonly type: 'array'
        readonly title: string
        readonly minItems: number
        readonly maxItems: number
        readonly items: { readonly anyOf: readonly { readonly const: string; readonly title: string }[] }
      }
    }
    readonly required: readonly ['rows']
  }
}

/**
 * Some of these rows, in a table that can be sorted; elsewhere a plain choice of several. The answer has the keys of those chosen.
 * @example
 * const answer = await ctx.elicit({ question: 'Which servers?', ...selectRows(servers, { key: 'name' }) })
 */
export function selectRows(
  rows: readonly object[],
  { key, columns, min = 1, max = rows.length }: SelectRowsOptions,
): RowsAsk {
  const drawn = table(rows, columns === undefined ? {} : { columns })
  const keys = table(rows, { columns: [key] }).rows.map(([value]) => String(value))
  const options = drawn.rows.map((cells, at) => ({
    const: `${keys[at]}`,
    title: cells.filter(cell => cell !== null && cell !== '').join(' · ') || `${keys[at]}`,
  }))
  const data = { columns: drawn.columns, rows: drawn.rows.map((cells, at) => ({ id: `${keys[at]}`, cells })), min, max }
  const field = { type: 'array', title: 'Rows', minItems: min, maxItems: max, items: { anyOf: options } } as const
  return { widget: tableWidget, data, schema: { type: 'object', properties: { rows: field }, required: ['rows'] } }
}
