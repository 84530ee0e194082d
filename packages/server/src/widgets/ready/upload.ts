// Files, sent straight from the page to the server that asks: no host, no client and no model has them.
import type { Widget } from '../../author/widget.js'
import { widgetOf } from '../define-widget.js'
import { kit } from './kit.js'

const page = `${kit}
// What there is of each field, by its token: the page is drawn again for the same ask.
const there = new Map()
const call = (url, { name, token }, query, body, watch) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest()
  request.open('POST', url + '?' + new URLSearchParams({ field: name, ...query }))
  request.setRequestHeader('x-beckon-upload', token)
  if (body) {
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-file-name', encodeURIComponent(body.name))
    request.upload.onprogress = watch
  }
  request.onload = () => { try { resolve(JSON.parse(request.responseText)) } catch { reject() } }
  request.onerror = request.ontimeout = request.onabort = () => reject()
  request.send(body)
})
frame((ask, { form, send }) => {
  const { url, fields = [] } = ask.data ?? {}
  const extra = h('style', {}, '.field { display: grid; gap: .375rem; min-width: 0 } .files { list-style: none; margin: 0; padding: 0; display: grid; gap: .375rem } .files li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; overflow-wrap: anywhere } .files button { min-height: 2rem; padding: .125rem .625rem } label { font-weight: 600 } progress { accent-color: var(--ring) }')
  const status = h('p', { className: 'quiet', role: 'status', dir: 'auto' })
  const elsewhere = h('button', { type: 'button', hidden: true, onclick: () => ask.answer({}) }, 'Upload on a page of its own instead')
  let busy = 0
  const filesOf = field => there.get(field.token) ?? []
  const content = () => Object.fromEntries(fields.filter(field => filesOf(field).length > 0).map(field => [field.name, filesOf(field).map(({ id }) => id).join(' ')]))
  const changed = () => { send.disabled = busy > 0 || ask.signal.aborted || fields.some(field => field.isRequired && filesOf(field).length === 0) }
  const set = (field, files) => { there.set(field.token, files); changed(); ask.draft(content()) }
  const away = () => { elsewhere.hidden = false; return 'The file could not be sent from here.' }
  const parts = fields.map((field, at) => {
    const list = h('ul', { className: 'files' })
    const draw = () => list.replaceChildren(...filesOf(field).map(({ id, name, words }) => h('li', {}, h('bdi', {}, seen(name)), h('span', { className: 'quiet' }, words),
      h('button', { type: 'button', ariaLabel: 'Remove ' + seen(name), onclick: () => remove(id, name) }, 'Remove'))))
    const remove = async (id, name) => {
      try {
        await call(url, field, { remove: id })
        set(field, filesOf(field).filter(one => one.id !== id))
        draw()
        status.textContent = seen(name) + ' was removed.'
        input.focus()
      } catch { status.textContent = away() }
    }
    const upload = async file => {
      const bar = h('progress', { max: 1, value: 0, ariaLabel: seen(file.name) })
      const problem = h('span', { className: 'problem', role: 'alert' })
      const row = h('li', {}, h('bdi', {}, seen(file.name)), bar, problem)
      list.append(row)
      const fail = text => { bar.remove(); problem.textContent = text; status.textContent = '' }
      if (file.size > field.maxBytes) return fail(field.tooLarge)
      busy++
      changed()
      status.textContent = seen(file.name) + ' is being sent.'
      try {
        const reply = await call(url, field, {}, file, event => { bar.value = event.loaded / event.total })
        if (reply.problem) return fail(seen(reply.problem))
        set(field, [...(field.isMany ? filesOf(field) : []), reply])
        row.remove()
        draw()
        status.textContent = seen(reply.name) + ' was uploaded: ' + reply.words
      } catch { fail(away()) } finally { busy--; changed() }
    }
    const hint = h('span', { className: 'quiet', id: 'hint-' + at, dir: 'auto' }, seen(field.hint))
    const input = h('input', { type: 'file', id: 'file-' + at, multiple: field.isMany, accept: field.types.join(','), ariaDescribedby: hint.id })
    input.onchange = async () => {
      const chosen = [...input.files]
      input.value = ''
      for (const file of chosen) await upload(file)
    }
    draw()
    // What was sent before, here or in another window.
    if (!there.has(field.token)) call(url, field, { list: '' }).then(({ files = [] }) => { if (ask.signal.aborted || filesOf(field).length > 0) return; there.set(field.token, files); draw(); changed() }, () => {})
    return h('div', { className: 'field' }, h('label', { for: input.id }, seen(field.title), field.isRequired ? '' : ' (optional)'), input, hint, list)
  })
  form.addEventListener('send', () => { if (!send.disabled) ask.answer(content()) })
  send.textContent = fields.some(field => field.isMany) || fields.length > 1 ? 'Send files' : 'Send file'
  changed()
  return [extra, ...parts, status, elsewhere]
})
`

/**
 * Files: give it with `file()` of `beckon/files` as the schema, on a server that has `files`. The page sends them to the server itself;
 * where no widget is shown, a person is sent to a page for that.
 * @example
 * await ctx.elicit({ question: 'The invoice, please.', schema: file({ maxBytes: 5_000_000 }), widget: uploadWidget })
 */
export const uploadWidget: Widget = widgetOf(
  { name: 'beckon-upload', title: 'Upload files', schema: { type: 'object', properties: {} }, module: page },
  { uploads: true },
)
