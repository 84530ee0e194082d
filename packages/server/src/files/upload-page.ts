// What a person sees who uploads files.
import type { Content } from '@beckon/core'
import type { FileSchema } from '../author/file-schema.js'
import type { Visit } from '../flows/index.js'
import { fieldsOf, type Html, html } from '../pages/index.js'
import { labelFrom } from '../pages/label.js'
import { inWords, type Received, tooLarge } from './receive.js'
import type { StoredForm } from './stored-form.js'
import { uploadScript } from './upload-script.js'
import { hintOf } from './widget-upload.js'

export interface UploadPage {
  readonly form: StoredForm
  readonly received: Readonly<Record<string, readonly Received[]>>
  readonly typed?: Content
  readonly problems?: readonly (readonly [field: string, text: string])[]
}

export function uploadPage(
  { flow, csrf, headers, pages }: Visit,
  { form, received, typed = {}, problems = [] }: UploadPage,
): Response {
  const wrong = new Map(problems)
  return pages.show({
    title: 'Upload',
    status: problems.length > 0 ? 422 : 200,
    headers,
    script: uploadScript,
    connects: true,
    body: html`<h1>Upload</h1>
<p class="message">${flow.message}</p>
<noscript><p class="warning">This page needs JavaScript to send files.</p></noscript>
<form method="post" data-upload="../files/${flow.id}">${csrf}
${Object.entries(form.files).map(([name, schema], index) => filePart({ id: `file-${index}`, name, schema, received: received[name] ?? [], isRequired: form.required.includes(name), problem: wrong.get(name) }))}
${fieldsOf(form.fields, { typed, problems: wrong })}
<button name="do" value="send">Send</button></form>
<form method="post">${csrf}<button class="second" name="do" value="decline">Decline</button></form>
<p class="quiet">Your files go to ${pages.brand.name} only. The assistant that sent you here does not see them.</p>`,
  })
}

interface FilePart {
  readonly id: string
  readonly name: string
  readonly schema: FileSchema
  readonly received: readonly Received[]
  readonly isRequired: boolean
  readonly problem: string | undefined
}

function filePart({ id, name, schema, received, isRequired, problem }: FilePart): Html {
  const { title = labelFrom(name), types, maxBytes, isMany } = schema
  return html`<div class="field"><label for="${id}">${title}${!isRequired && html` <span class="quiet">(optional)</span>`}</label>
<input type="file" id="${id}" data-field="${name}" data-max="${maxBytes}" data-toolarge="${tooLarge(maxBytes)}"${isMany && html` multiple`}${
    types.length > 0 && html` accept="${types.join(',')}"`
  } aria-describedby="${id}-hint${problem !== undefined ? ` ${id}-problem` : ''}">
<span class="hint" id="${id}-hint">${hintOf(schema)}</span>
${problem !== undefined && html`<span class="problem" id="${id}-problem">${problem}</span>`}
<ul class="files" id="${id}-list">${received.map(file => html`<li><bdi>${file.name}</bdi> <span>${wordsOf(file)}</span> <button type="button" class="second small" data-field="${name}" data-remove="${file.id}">Remove</button></li>`)}</ul></div>`
}

/** What a file is, for who has just sent it. */
export function wordsOf({ type, size }: Received): string {
  return `${inWords(size)}, ${type}`
}
