import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { Control } from '../../fields/control.js'
import { textEntered } from '../../fields/entered.js'
import { typedText } from '../typed-text.js'
import type { ControlPart } from './control-part.js'

type TextControl = Extract<Control, { kind: 'line' | 'lines' }>

/** A field for text, a number, a date. The browser's own hints help; what is right, the question says. */
export function textControl(part: ControlPart, control: TextControl): TemplateResult {
  const { question, entered, isInvalid, describedBy, isDisabled, enter } = part
  const text = entered.kind === 'text' ? entered.text : ''
  const onInput = (event: Event): void => enter(textEntered(typedText(event)))
  if (control.kind === 'lines') {
    return html`<textarea
      id="control"
      rows=${control.rows}
      dir="auto"
      .value=${live(text)}
      ?disabled=${isDisabled}
      aria-required=${question.required === true}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
      @input=${onInput}
    ></textarea>`
  }
  return html`<input
    id="control"
    type=${control.type}
    inputmode=${control.mode ?? nothing}
    dir=${control.type === 'text' && !control.mode ? 'auto' : nothing}
    autocomplete=${control.type === 'email' ? 'email' : 'off'}
    autocapitalize="off"
    .value=${live(text)}
    ?disabled=${isDisabled}
    aria-required=${question.required === true}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    @input=${onInput}
    @paste=${control.canGrow ? (event: ClipboardEvent) => pasteLines(event, enter) : nothing}
  />`
}

/** A field of one line would leave out the ends of the others: what has several gets a field that has several. */
function pasteLines(event: ClipboardEvent, enter: ControlPart['enter']): void {
  const { target, clipboardData } = event
  const pasted = clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? ''
  if (!(target instanceof HTMLInputElement) || !pasted.trim().includes('\n')) return
  event.preventDefault()
  const { value, selectionStart, selectionEnd } = target
  enter(textEntered(`${value.slice(0, selectionStart ?? 0)}${pasted}${value.slice(selectionEnd ?? value.length)}`))
}
