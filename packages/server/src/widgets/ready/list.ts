// One of many, searched as one types: by the author's own function where the host lets the page ask for that; else what is there is
// narrowed, and Enter has the server look for more.

import type { Widget } from '../../author/widget.js'
import { defineWidget } from '../define-widget.js'
import { kit } from './kit.js'

const page = `${kit}
frame((ask, { form, send }) => {
  const { choice, search } = ask.form.properties
  const listed = (choice?.oneOf ?? (choice?.enum ?? []).map(value => ({ const: value, title: value }))).map(({ const: value, title }) => ({ value, label: title }))
  let { find } = ask
  // What is shown, and the words that found it.
  let [shown, words] = [listed, search?.default ?? '']
  let chosen = ask.initial?.other ?? ask.initial?.choice
  let [typed, turn] = [undefined, 0]
  const field = h('input', { type: 'search', id: 'search', autocomplete: 'off', maxLength: 200, value: words, ariaControls: 'found' })
  const status = h('p', { className: 'quiet', role: 'status', dir: 'auto' })
  const list = h('div', { className: 'scroll', id: 'found' })
  const extra = h('style', {}, '.row { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; padding: .25rem .75rem; cursor: pointer; overflow-wrap: anywhere } .row:hover, .row:has(:checked) { background: var(--sunken) } .row[hidden] { display: none } .row bdi { min-width: 0 }')
  const answerOf = value => listed.some(option => option.value === value) ? { choice: value } : { other: value, search: words }
  const choose = value => { chosen = value; ask.draft(answerOf(value)) }
  const rowOf = ({ value, label }) => h('label', { className: 'row' },
    h('input', { type: 'radio', name: 'choice', value, checked: chosen === value, onchange: () => choose(value) }), h('bdi', {}, seen(label)))
  const draw = () => list.replaceChildren(...shown.map(rowOf))
  const say = (count, more = '') => { status.textContent = count === 0 ? 'Nothing matches.' + more : count + (count === 1 ? ' option.' : ' options.') + more }
  const onEnter = () => !find && search ? ' Press Enter to search all of them.' : ''
  const narrow = () => {
    const wanted = field.value.trim().toLowerCase().split(/\\s+/)
    let count = 0
    for (const row of list.children) { row.hidden = !wanted.every(word => row.textContent.toLowerCase().includes(word)); if (!row.hidden) count++ }
    say(count, onEnter())
  }
  const look = async () => {
    const mine = ++turn
    const wanted = field.value
    const found = await find(wanted)
    if (mine !== turn || ask.signal.aborted) return
    if (found === undefined) {
      find = undefined
      return narrow()
    }
    [shown, words] = [found, wanted]
    draw()
    say(found.length)
  }
  field.oninput = () => {
    if (!find) return narrow()
    clearTimeout(typed)
    typed = setTimeout(look, 120)
  }
  field.onkeydown = event => {
    if (event.key === 'ArrowDown') { event.preventDefault(); form.querySelector('.row:not([hidden]) input')?.focus() }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (find) { clearTimeout(typed); look() }
    else if (search) ask.answer({ search: field.value })
  }
  ask.onDraft(theirs => {
    chosen = theirs.other ?? theirs.choice
    for (const input of form.querySelectorAll('[name=choice]')) input.checked = input.value === chosen
  })
  form.addEventListener('send', () => {
    const value = form.querySelector('[name=choice]:checked')?.value
    if (value === undefined) { status.textContent = 'Nothing is chosen yet.'; field.focus() }
    else ask.answer(answerOf(value))
  })
  send.textContent = 'Choose'
  draw()
  // What the server found is not narrowed by the words that it was found by.
  say(shown.length)
  return [extra, h('label', { for: 'search' }, 'Search'), field, status, h('fieldset', {}, h('legend', { className: 'quiet' }, seen(choice?.title ?? 'Options')), list)]
})
`

/**
 * One of a list of any length: give it with `choices` as the schema. Your function finds the options while someone types, in the inbox
 * and in hosts whose views may call tools; elsewhere, when they press Enter.
 * @example
 * await ctx.elicit({ question: 'Where to?', schema: choices(search => db.cities(search)), widget: listWidget })
 */
export const listWidget: Widget = defineWidget({
  name: 'beckon-list',
  title: 'Choose one',
  schema: {
    type: 'object',
    properties: { choice: { type: 'string' }, search: { type: 'string' }, other: { type: 'string' } },
  },
  module: page,
})
