// The ready widgets side by side, each in a frame as a host has it: a page of its own origin, which reaches nothing. The page around
// them is the least that a host does: it says who it is, asks, and writes down what comes back.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { formOf } from '@beckon/core'
import {
  chooseImage,
  type DiffAsk,
  diffWidget,
  type ImageAsk,
  listWidget,
  type RowsAsk,
  readyWidgets,
  reviewDiff,
  selectRows,
  uploadWidget,
} from 'beckon/widgets/ready'

/** Where the page is. */
export const galleryPath = '/demo/gallery'
const uploadPath = `${galleryPath}/upload`
const maxUploadBytes = 5_000_000

const cities = [
  'Amsterdam',
  'Bergen',
  'Córdoba',
  'Dublin',
  'Essaouira',
  'Ghent',
  'Kyoto',
  'Lima',
  'Oslo',
  'Porto',
  'Quito',
  'Riga',
]
const config = Array.from({ length: 24 }, (_, index) => `setting.${index} = ${index}`)

/** One colour each, as a PNG of one pixel. */
const colours = {
  Blue: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  Green: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

/** What each of them is shown with. */
export const samples: { readonly table: RowsAsk; readonly diff: DiffAsk; readonly images: ImageAsk } = {
  table: selectRows(
    [
      { name: 'eu-1', region: 'Frankfurt', requests: 12_400 },
      { name: 'us-1', region: 'Virginia', requests: 310 },
      { name: 'ap-1', region: 'Osaka', requests: 2_050 },
    ],
    { key: 'name' },
  ),
  diff: reviewDiff(config.join('\n'), config.with(9, 'setting.9 = "new"').toSpliced(16, 1).join('\n')),
  images: chooseImage(
    Object.entries(colours).map(([label, data]) => ({ value: label, label, source: `data:image/png;base64,${data}` })),
  ),
}

/** What the page asks each widget. */
const asked = [
  {
    name: listWidget.name,
    message: 'Where to?',
    requestedSchema: formOf({
      type: 'object',
      properties: { choice: { type: 'string', title: 'City', enum: cities } },
      required: ['choice'],
    }),
  },
  {
    name: samples.table.widget.name,
    message: 'Which servers shall be restarted?',
    requestedSchema: formOf({ ...samples.table.schema }),
    data: samples.table.data,
  },
  {
    name: diffWidget.name,
    message: 'Save app.conf?',
    requestedSchema: formOf({ ...diffWidget.schema }),
    data: samples.diff.data,
  },
  {
    name: samples.images.widget.name,
    message: 'Which colour?',
    requestedSchema: formOf({ ...samples.images.schema }),
    data: samples.images.data,
  },
  {
    name: uploadWidget.name,
    message: 'The invoice, please.',
    requestedSchema: formOf({ type: 'object', properties: { invoice: { type: 'string', title: 'Invoice' } } }),
    data: {
      // On the page's own address, which the page knows.
      url: uploadPath,
      fields: [
        {
          name: 'invoice',
          token: 'gallery',
          title: 'Invoice',
          hint: 'One file, at most 5 MB. The gallery counts its bytes, and keeps nothing.',
          types: [],
          maxBytes: maxUploadBytes,
          tooLarge: 'The file is larger than 5 MB.',
          isMany: false,
          isRequired: true,
        },
      ],
    },
  },
]

const script = `
const asked = ${JSON.stringify(asked).replaceAll('<', '\\u003c')}
for (const { name, data, ...ask } of asked) {
  const frame = document.getElementById(name)
  const said = frame.nextElementSibling
  const post = message => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const context = () => ({ theme: document.documentElement.style.colorScheme, locale: document.documentElement.dir === 'rtl' ? 'ar' : 'en' })
  if (data?.url) data.url = location.origin + data.url
  const put = () => post({ id: 'ask', method: 'elicitation/create', params: { ...ask, _meta: { 'beckon/widget': { name, data } } } })
  addEventListener('message', ({ source, data: { id, method, params, result } }) => {
    if (source !== frame.contentWindow) return
    if (method === 'ui/initialize') post({ id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'gallery', version: '1.0.0' }, hostCapabilities: {}, hostContext: context() } })
    if (method === 'ui/notifications/initialized') put()
    if (method === 'ui/notifications/size-changed') frame.style.height = Math.min(params.height, 700) + 'px'
    if (id === 'ask' && result) { said.textContent = JSON.stringify(result); put() }
  })
  addEventListener('themed', () => post({ method: 'ui/notifications/host-context-changed', params: context() }))
  frame.src = '${galleryPath}/' + name
}
for (const button of document.querySelectorAll('button')) button.onclick = () => {
  const { style } = document.documentElement
  if (button.value === 'theme') style.colorScheme = style.colorScheme === 'dark' ? 'light' : 'dark'
  else document.documentElement.dir = document.documentElement.dir === 'rtl' ? 'ltr' : 'rtl'
  dispatchEvent(new Event('themed'))
}
`

const titles = new Map(readyWidgets.map(({ name, title = name }) => [name, title]))

const page = `<!doctype html><html lang="en" style="color-scheme: light"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ready widgets</title>
<style>:root{font:1rem/1.5 system-ui;background:Canvas;color:CanvasText}body{max-width:70rem;margin:auto;padding:1.5rem}iframe{width:100%;border:1px solid GrayText;border-radius:8px;height:12rem}button{font:inherit;padding:.5rem 1rem}section{margin-block:2rem}output{display:block;font:.875rem ui-monospace,monospace;min-height:1.5em;overflow-wrap:anywhere}</style>
<h1>Ready widgets</h1><p>What <code>beckon/widgets/ready</code> has, as a host shows it. An answer is written under its widget.</p>
<p><button value="theme">Light or dark</button> <button value="dir">Left or right</button></p>
${asked.map(({ name }) => `<section><h2>${titles.get(name)}</h2><iframe id="${name}" title="${titles.get(name)}" sandbox="allow-scripts"></iframe><output></output></section>`).join('\n')}
<script>${script}</script></html>`

const digest = createHash('sha256').update(script).digest('base64')
const plain = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
const outer = `default-src 'none'; script-src 'sha256-${digest}'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`
const inner = `sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`

/** Answers for the page, for the page of each widget, and for what one of them uploads. */
export function serveGallery(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { url = '', method, headers } = incoming
  const [path = '', query = ''] = url.split('?')
  const name = path.slice(galleryPath.length + 1)
  const widget = readyWidgets.find(each => each.name === name)
  if (path === uploadPath) void takeUpload(incoming, outgoing, new URLSearchParams(query))
  else if (method !== 'GET') outgoing.writeHead(405, { allow: 'GET' }).end()
  else if (widget !== undefined)
    outgoing.writeHead(200, { ...plain, 'content-security-policy': policyOf(widget, headers.host) }).end(widget.page)
  else if (name === '') outgoing.writeHead(200, { ...plain, 'content-security-policy': outer }).end(page)
  else outgoing.writeHead(404).end()
}

/** Only the one that uploads reaches anything: this very address, which a page with an origin of its own cannot call its own. */
function policyOf({ name }: { readonly name: string }, host = ''): string {
  return name === uploadWidget.name && /^[\w.:[\]-]+$/.test(host) ? `${inner}; connect-src http://${host}` : inner
}

/** Says of a file how large it is, and forgets it. */
async function takeUpload(incoming: IncomingMessage, outgoing: ServerResponse, query: URLSearchParams): Promise<void> {
  outgoing.setHeader('access-control-allow-origin', '*')
  outgoing.setHeader('access-control-allow-headers', 'content-type, x-beckon-upload, x-file-name')
  if (incoming.method !== 'POST') {
    outgoing.writeHead(incoming.method === 'OPTIONS' ? 204 : 405, { allow: 'POST' }).end()
    return
  }
  let bytes = 0
  for await (const part of incoming) {
    bytes += part.length
    if (bytes > maxUploadBytes) break
  }
  const name = String(incoming.headers['x-file-name'] ?? '').slice(0, 200)
  const reply = query.has('list')
    ? { files: [] }
    : bytes > maxUploadBytes
      ? { problem: 'The file is larger than 5 MB.' }
      : { id: 'counted', name: decoded(name), words: `${bytes} bytes, which were counted and not kept` }
  outgoing
    .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(reply))
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
