// One of several pictures.
import { type Block, image } from '@beckon/core/blocks'
import type { Widget } from '../../author/widget.js'
import { defineWidget } from '../define-widget.js'
import { kit } from './kit.js'

const page = `${kit}
frame((ask, { form, send }) => {
  const images = ask.data ?? []
  const extra = h('style', {}, '.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem } .card { display: grid; gap: .5rem; padding: .625rem; border: 1px solid var(--line); border-radius: var(--radius); cursor: pointer; align-content: start } .card:has(:checked) { outline: 2px solid var(--ring); outline-offset: -1px; background: var(--sunken) } .card canvas { width: 100%; aspect-ratio: 4 / 3; object-fit: contain; background: var(--sunken); border-radius: calc(var(--radius) / 2) } .card span { display: flex; gap: .5rem; align-items: center; overflow-wrap: anywhere }')
  // Drawn, and not loaded: not every host lets a page show images, even those that it has.
  const pictureOf = src => {
    const canvas = h('canvas', { ariaHidden: 'true' })
    const [, type, data] = /^data:([^;]+);base64,(.*)$/.exec(src) ?? []
    const bytes = Uint8Array.from(atob(data ?? ''), letter => letter.charCodeAt(0))
    createImageBitmap(new Blob([bytes], { type })).then(picture => {
      Object.assign(canvas, { width: picture.width, height: picture.height })
      canvas.getContext('2d').drawImage(picture, 0, 0)
      canvas.dataset.drawn = ''
    }, () => {})
    return canvas
  }
  // Nothing is sent, and nothing called wrong, before one is chosen.
  const changed = () => { send.disabled = ![...form.querySelectorAll('[name=choice]')].some(input => input.checked) }
  send.disabled = !images.some(({ value }) => value === ask.initial?.choice)
  const cards = images.map(({ value, label, src }) => h('label', { className: 'card' }, pictureOf(src),
    h('span', {}, h('input', { type: 'radio', name: 'choice', value, checked: ask.initial?.choice === value, onchange: () => { changed(); ask.draft({ choice: value }) } }), h('bdi', {}, seen(label)))))
  ask.onDraft(({ choice }) => { for (const input of form.querySelectorAll('[name=choice]')) input.checked = input.value === choice; changed() })
  form.addEventListener('send', () => { const { value } = form.elements.choice; if (value) ask.answer({ choice: value }) })
  send.textContent = 'Choose'
  return [extra, h('fieldset', {}, h('legend', { className: 'quiet' }, 'Images'), h('div', { className: 'grid' }, cards))]
})
`

/** Pictures to choose from: `chooseImage` says which. */
export const imageWidget: Widget = defineWidget({
  name: 'beckon-images',
  title: 'Choose an image',
  schema: { type: 'object', properties: {} },
  module: page,
})

/** One picture. */
export interface ImageOption {
  /** The answer, when it is chosen. */
  readonly value: string
  /** What it shows, in words. */
  readonly label: string
  /** A PNG, JPEG, GIF or WebP: its bytes, or a `data:` URL. */
  readonly source: Uint8Array | string
}

/** What `chooseImage` gives to `ctx.elicit`. */
export interface ImageAsk {
  readonly widget: Widget
  readonly data: readonly { readonly value: string; readonly label: string; readonly src: string }[]
  readonly schema: {
    readonly type: 'object'
    readonly properties: {
      readonly choice: {
        readonly type: 'string'
        readonly title: string
        readonly oneOf: readonly { readonly const: string; readonly title: string }[]
      }
    }
    readonly required: readonly ['choice']
  }
}

/**
 * One of several pictures; elsewhere a choice by what they show. All of them together have at most 192 KB.
 * @throws TypeError for what is not a picture that browsers show, or is elsewhere: a widget loads nothing
 * @example
 * const answer = await ctx.elicit({ question: 'Which logo?', ...chooseImage([{ value: 'a', label: 'Round', source: png }]) })
 */
export function chooseImage(options: readonly ImageOption[]): ImageAsk {
  const data = options.map(({ value, label, source }) => ({ value, label, src: srcOf(image(source, { alt: label })) }))
  const oneOf = options.map(({ value, label }) => ({ const: value, title: label }))
  const choice = { type: 'string', title: 'Image', oneOf } as const
  return { widget: imageWidget, data, schema: { type: 'object', properties: { choice }, required: ['choice'] } }
}

function srcOf(block: Extract<Block, { kind: 'image' }>): string {
  if ('data' in block) return `data:${block.type};base64,${block.data}`
  throw new TypeError('A widget loads nothing from elsewhere: give the bytes of an image, or a `data:` URL.')
}
