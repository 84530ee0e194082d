/**
 * What the page of an upload runs: it sends each file as soon as it is chosen, and says how far that is. Plain text, since the
 * page's policy lets through this very text and nothing else.
 */
export const uploadScript: string = `
const form = document.querySelector('form[data-upload]')
const send = form.querySelector('button[value=send]')
let busy = 0
const ask = (query, body, headers, watch) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest()
  request.open('POST', form.dataset.upload + '?' + new URLSearchParams(query))
  request.setRequestHeader('x-beckon-form', form.elements.beckon.value)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = watch
  request.onload = () => {
    try { resolve(JSON.parse(request.responseText)) } catch { reject() }
  }
  request.onerror = request.ontimeout = request.onabort = reject
  request.send(body)
})
const away = 'The upload stopped. Load this page again, and try once more.'
async function upload(input, file) {
  const list = document.getElementById(input.id + '-list')
  const row = document.createElement('li')
  const name = row.appendChild(document.createElement('bdi'))
  name.textContent = file.name
  const bar = row.appendChild(document.createElement('progress'))
  bar.max = 1
  bar.value = 0
  bar.setAttribute('aria-label', file.name)
  const said = row.appendChild(document.createElement('span'))
  said.setAttribute('role', 'status')
  list.append(row)
  const fail = text => { bar.remove(); said.textContent = text; said.className = 'problem' }
  if (file.size > Number(input.dataset.max)) return fail(input.dataset.toolarge)
  send.disabled = ++busy > 0
  try {
    const headers = { 'content-type': 'application/octet-stream', 'x-file-name': encodeURIComponent(file.name) }
    const reply = await ask({ field: input.dataset.field }, file, headers, event => { bar.value = event.loaded / event.total })
    if (reply.problem) return fail(reply.problem)
    bar.remove()
    name.textContent = reply.name
    said.textContent = reply.words
    if (!input.multiple) for (const other of [...list.children]) if (other !== row) other.remove()
    row.append(button(input, reply.id))
  } catch { fail(away) } finally { send.disabled = --busy > 0 }
}
function button(input, id) {
  const remove = document.createElement('button')
  remove.type = 'button'
  remove.className = 'second small'
  remove.textContent = 'Remove'
  remove.dataset.remove = id
  remove.dataset.field = input.dataset.field
  return remove
}
form.addEventListener('click', async event => {
  const { remove, field } = event.target.dataset ?? {}
  if (!remove) return
  try { await ask({ field, remove }, '', {}); event.target.closest('li').remove() } catch { event.target.textContent = 'Try again' }
})
for (const input of form.querySelectorAll('input[type=file]')) input.addEventListener('change', async () => {
  const chosen = [...input.files]
  input.value = ''
  for (const file of chosen) await upload(input, file)
})
`
