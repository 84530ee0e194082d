import { actingCharacters, stackedMarks } from '@beckon/core'

/**
 * What the pages of the ready widgets have in common: their looks, by the variables of the host, and the frame around what each of
 * them shows. Plain text, since it becomes part of a page that loads nothing.
 */
export const kit: string = `
const style = document.createElement('style')
style.textContent = \`
:root { --ink: var(--color-text-primary, CanvasText); --quiet: var(--color-text-secondary, color-mix(in oklab, CanvasText 68%, Canvas));
  --paper: var(--color-background-primary, Canvas); --sunken: var(--color-background-secondary, color-mix(in oklab, CanvasText 6%, Canvas));
  --line: var(--color-border-primary, color-mix(in oklab, CanvasText 45%, Canvas)); --ring: var(--color-ring-primary, #3b4cc0);
  --bad: var(--color-text-danger, light-dark(#a32020, #ff9d92)); --good: var(--color-text-success, light-dark(#1c6443, #7fd6ae)); --radius: var(--border-radius-md, 8px);
  font: 400 1rem/1.5 var(--font-sans, system-ui, sans-serif); color: var(--ink); background: var(--paper); }
:root:not([data-theme]) { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; }
main { display: grid; gap: .875rem; min-width: 0; }
h1 { margin: 0; font-size: 1.125rem; font-weight: 600; overflow-wrap: anywhere; white-space: pre-line; }
p, fieldset { margin: 0; } fieldset { border: 0; padding: 0; min-width: 0; } legend { padding: 0; font-weight: 600; }
.quiet { color: var(--quiet); font-size: .875rem; } .problem { color: var(--bad); font-weight: 600; }
input:not([type=checkbox], [type=radio]), textarea { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: var(--radius); }
input:is([type=checkbox], [type=radio]) { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--ring); }
button { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: var(--radius); cursor: pointer; }
button.first { color: var(--paper); background: var(--ink); border-color: var(--ink); }
button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
.buttons { display: flex; flex-wrap: wrap; gap: .625rem; }
.scroll { overflow: auto; max-height: 26rem; border: 1px solid var(--line); border-radius: var(--radius); }
\`
document.head.append(style)
const h = (tag, props, ...children) => {
  const { data, ...rest } = props ?? {}
  const element = Object.assign(document.createElement(tag), rest)
  for (const [name, value] of Object.entries(rest)) if (name.startsWith('aria') || name === 'role' || name === 'dir' || name === 'for') element.setAttribute(name.replace(/^aria([A-Z])/, (_, letter) => 'aria-' + letter.toLowerCase()), value)
  element.append(...children.flat().filter(child => child !== undefined && child !== null))
  return element
}
// What turns, hides or moves other text is shown by its number, as on every page of ours.
const seen = given => {
  const text = String(given).replace(/\\r\\n?/g, '\\n')
  const based = /^\\p{M}/u.test(text) ? '\\u25cc' + text : text
  return based.replace(${actingCharacters}, character => '[U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + ']')
    .replace(${stackedMarks}, (_, kept, rest) => kept + '[+' + [...rest].length + ']')
}
const frame = draw => connectWidget(ask => {
  const problem = ask.problem === undefined ? undefined : h('p', { className: 'problem', role: 'alert', dir: 'auto' }, seen(ask.problem))
  // Not every host lets a framed page submit forms: a click is all that it takes.
  const send = h('button', { className: 'first', type: 'button', onclick: () => form.dispatchEvent(new Event('send')) })
  const decline = h('button', { type: 'button', onclick: () => ask.decline() }, 'Decline')
  const form = h('form', { onsubmit: event => event.preventDefault() })
  form.style.cssText = 'display:grid;gap:.875rem;min-width:0'
  const body = draw(ask, { form, send })
  form.append(...body, h('div', { className: 'buttons' }, send, decline))
  document.body.replaceChildren(h('main', {}, h('h1', { dir: 'auto' }, seen(ask.question)), problem, form))
  ask.signal.addEventListener('abort', () => { for (const control of form.querySelectorAll('button, input, textarea')) control.disabled = true })
})
`
