// A person uploads a document on the server's own page, and the tool goes on with it.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClient } from 'beckon/test'
import { createClaims } from './server.js'

const invoice = '%PDF-1.7 for two espressos'

/** What a browser does on the page: it opens it, sends the file, and then the form. */
async function visit(link: string): Promise<'accept'> {
  const opened = await fetch(link)
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const token = /name="beckon" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ''
  const upload = (name: string, body: string) =>
    fetch(`${link.replace('/go/', '/files/')}?field=invoice`, {
      method: 'POST',
      headers: { cookie, 'x-beckon-form': token, 'x-file-name': name },
      body,
    })
  assert.deepEqual(await (await upload('holiday.pdf', invoice)).json(), { problem: 'That is not called an invoice.' })
  assert.equal((await upload('invoice.pdf', '<html>no document</html>')).status, 415)
  assert.equal((await upload('invoice.pdf', invoice)).status, 200)
  const form = new URLSearchParams({ beckon: token, do: 'send', 'field-reason': 'coffee' })
  const sent = await fetch(link, { method: 'POST', headers: { cookie }, body: form })
  assert.match(await sent.text(), /Done/)
  return 'accept'
}

const folder = await mkdtemp(join(tmpdir(), 'claims-'))
const server = createClaims(folder)
await server.listen({ port: 0 })
const client = createTestClient(server, { answer: ask => (ask.kind === 'url' ? visit(ask.url) : 'decline') })
const { content } = await client.callTool('file_claim')
assert.equal(content[0]?.text, 'Filed invoice.pdf (application/pdf, 26 bytes) for coffee.')
const [kept = ''] = await readdir(folder)
assert.equal(await readFile(join(folder, kept), 'utf8'), invoice)
// Neither the client nor the model has seen any of it.
assert.ok(!JSON.stringify(client.messages).includes('espressos'))
await client.close()
await server.close()
await rm(folder, { recursive: true })
console.log('files: ok')
