// One of many, searched: what is there is narrowed as one types, and Enter has the server look for more.

import type { Widget } from '../../author/widget.js'
import { defineWidget } from '../define-widget.js'
import { kit } from './kit.js'

const page = `${kit}
frame((ask, { form, send }) => {
  const { choice, search } = ask.form.properties
  const options = choice?.oneOf ?? (choice?.enum ?? []).map(value => ({ const: value, title: value }))
  const field = h('input', { type: 'search', id: 'search', autocomplete: 'off', value: search?.default ?? '' })
  const status = h('p', { className: 'quiet', role: 'status' })
  const rows = options.map(({ const: value, title }) => h('label', { className: 'row' },
    h('input', { type: 'radio', name: 'choice', value, checked: ask.initial?.choice === value, onchange: () => ask.draft({ choice: value }) }), h('bdi', {}, title)))
  const extra = h('style', {}, '.row { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; padding: .25rem .75rem; cursor: pointer } .row:hover, .row:has(:checked) { background: var(--sunken) } .row[hidden] { display: none }')
  const narrow = () => {
    const words = field.value.trim().toLowerCase().split(/\\s+/)
    let shown = 0
    for (const row of rows) { row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word)); if (!row.hidden) shown++ }
    status.textContent = shown + (shown === 1 ? ' option' : ' options') + (search ? '. Press Enter to search all of them.' : '')
  }
  field.oninput = narrow
  field.onkeydown = event => {
    if (event.key === 'ArrowDown') { event.preventDefault(); form.querySelector('.row:not([hidden]) input')?.focus() }
    if (event.key !== 'Enter' || !search) return
    event.preventDefault()
    ask.answer({ search: field.value })
  }
  ask.onDraft(({ choice: chosen }) => { for (const input of form.querySelectorAll('[name=choice]')) input.checked = input.value === chosen })
  form.addEventListener('send', () => {
    const chosen = form.elements.choice?.value
    if (chosen) ask.answer({ choice: chosen })
    else field.focus()
  })
  send.textContent = 'Choose'
  // What the server found is not narrowed by the words that it was found by.
  status.textContent = rows.length + (rows.length === 1 ? ' option' : ' options')
  return [extra, h('label', { for: 'search' }, 'Search'), field, status, h('fieldset', {}, h('legend', { className: 'quiet' }, choice?.title ?? 'Options'), h('div', { className: 'scroll' }, rows))]
})
`

/**
 * One of a list of any length: give it with `choices` as the schema. What is shown is narrowed as one types; Enter has your function
 * find more.
 * @example
 * await ctx.elicit({ question: 'Where to?', schema: choices(search => db.cities(search)), widget: listWidget })
 */
export const listWidget: Widget = defineWidget({
  name: 'beckon-list',
  title: 'Choose one',
  schema: { type: 'object', properties: { choice: { type: 'string' }, search: { type: 'string' } } },
  module: page,
})
