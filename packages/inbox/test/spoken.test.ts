// Every block and every ready widget as a screen reader has it: role, name, state and order, and what is said when something changes.
// No screen reader runs here: this is what Chromium gives one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { code, diff, image, json, link, markdown, table } from '@beckon/core/blocks'
import { type Context, choices, createServer } from 'beckon'
import { file, files } from 'beckon/files'
import { createTestClient } from 'beckon/test'
import { chooseImage, listWidget, readyWidgets, reviewDiff, selectRows, uploadWidget } from 'beckon/widgets/ready'
import type { Frame } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'
import { spoken } from './spoken.js'

const rig = new Rig()
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const show = [
  markdown('## What happens\n\nThe **new** settings go to all:\n\n1. `eu-1`\n2. `us-1`\n\n> Nobody is on call.'),
  diff('a\nb\nc', 'a\nx\nc', { title: 'app.conf' }),
  table([{ server: 'eu-1', requests: 12_400 }], { title: 'Servers' }),
  code('deploy()', 'js'),
  json({ dryRun: false }, { title: 'Request' }),
  image(pixel, { alt: 'A pixel' }),
  image('https://images.example/load.png', { alt: 'The load of last week' }),
  link('https://bank.example/plan', 'The plan'),
]
const rows = [
  { name: 'eu-1', requests: 9 },
  { name: 'us-1', requests: 3 },
]
const images = [
  { value: 'r', label: 'Round', source: pixel },
  { value: 's', label: 'Square', source: pixel },
]

describe.skipIf(!hasBrowser)('what is spoken', { timeout: 4 * patienceMs }, () => {
  rig.attend()
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** The page of a widget, and what is said in it. */
  async function opened(ask: (ctx: Context) => Promise<unknown>, isElsewhere = false) {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-spoken-'))
    const kept = { widgets: readyWidgets, files: files({ to: folder }) }
    const server = createServer({ name: 'shop', version: '1.0.0', desk: rig.desk, wait: 'hold', ...kept })
    server.tool('t', {}, async (_input, ctx) => ({ given: await ask(ctx) }))
    await server.listen({ port: 0 })
    const client = createTestClient(server, { capabilities: {} })
    closing.push(
      () => rm(folder, { recursive: true, force: true }),
      () => server.close(),
      () => client.close(),
    )
    client.callTool('t').catch(() => {})
    const ana = await rig.visit('ana', { reducedMotion: 'reduce' })
    await ana.open('Which?')
    if (isElsewhere) await ana.page.getByRole('button', { name: 'Show it' }).press('Enter')
    const shown = ana.page.frameLocator('beckon-widget iframe')
    await shown.getByRole('heading').waitFor()
    const frame = ana.page.frames().find(each => each.parentFrame() !== null) as Frame
    return { ana, shown, said: () => spoken(ana.page, frame) }
  }

  it('has every block in its order, and nothing in the inbox without a name', async () => {
    const turn = await rig.turn('deploys')
    turn.ask({ question: 'Deploy?', show } as { question: string }).catch(() => {})
    const ana = await rig.visit('ana', { reducedMotion: 'reduce' })
    await ana.open('Deploy?')
    await ana.page.getByRole('heading', { name: 'What happens' }).waitFor()
    const said = await spoken(ana.page)
    expect(said.filter(line => line.includes('UNNAMED'))).toEqual([])
    expect(said.slice(said.lastIndexOf('Deploy?'))).toEqual([
      'Deploy?',
      'heading What happens level 3',
      ...['The', 'new', 'settings go to all:', 'list', 'listitem level 1', 'eu-1', 'listitem level 1', 'us-1'],
      ...['blockquote', 'Nobody is on call.'],
      ...['heading app.conf level 3', 'region app.conf', 'a', 'removed:', 'b', 'added:', 'x', 'c'],
      ...['heading Servers level 3', 'region Servers', 'table', 'columnheader server', 'columnheader requests'],
      ...['cell eu-1', 'cell 12400', 'js', 'region Text', 'deploy()'],
      ...['heading Request level 3', 'region Request', '{ "dryRun": false }'],
      'image A pixel',
      ...['An image on another site. It is not loaded here.', 'The load of last week'],
      ...['https://', 'images.example', '/load.png', 'link Open the image on images.example'],
      ...['heading The plan level 3', 'https://', 'bank.example', '/plan', 'link Open bank.example'],
      ...['button Accept', 'button Decline', 'button Add a reason', 'button Comment', 'button Hand on…'],
      ...['button Dismiss (Close it without an answer)', 'status live polite'],
    ])
  })

  it('has the list, how many there are as one types, and which is chosen', async () => {
    const schema = choices(['Rome', 'Paris', 'Rostock'])
    const { ana, shown, said } = await opened(ctx => ctx.elicit({ question: 'Which?', schema, widget: listWidget }))
    expect(await said()).toEqual([
      ...['main', 'heading Which? level 1', 'Search', 'searchbox Search', 'status live polite', '3 options.'],
      ...['group Choice', 'Choice', 'radio Rome', 'Rome', 'radio Paris', 'Paris', 'radio Rostock', 'Rostock'],
      ...['button Choose', 'button Decline'],
    ])
    await shown.getByRole('button', { name: 'Choose' }).press('Enter')
    await eventually(said).toContain('Nothing is chosen yet.')
    await shown.getByLabel('Search').pressSequentially('ro')
    await eventually(said).toEqual(expect.arrayContaining(['status live polite', '2 options.']))
    await shown.getByLabel('Rostock').check()
    await eventually(said).toContain('radio Rostock checked')
    await shown.getByRole('button', { name: 'Choose' }).press('Enter')
    // The inbox says what happened in the frame.
    await eventually(() => spoken(ana.page)).toContain('This is what you would answer. Send it with the button below.')
    const around = await spoken(ana.page)
    expect(around).toContain('Iframe Answer here (beckon-list)')
    expect(around.filter(line => line.includes('UNNAMED'))).toEqual([])
  })

  it('has the table, how many rows are chosen, and how it is sorted', async () => {
    const { shown, said } = await opened(ctx =>
      ctx.elicit({ question: 'Which?', ...selectRows(rows, { key: 'name' }) }),
    )
    expect(await said()).toEqual([
      ...['main', 'heading Which? level 1', 'region Rows', 'table', 'cell All rows', 'checkbox All rows'],
      ...['columnheader name', 'button name', 'columnheader requests', 'button requests'],
      ...['cell eu-1', 'checkbox eu-1', 'cell eu-1', 'cell 9', 'cell us-1', 'checkbox us-1', 'cell us-1', 'cell 3'],
      ...['status live polite', '0 of 2 chosen; choose at least 1', 'button Use these disabled', 'button Decline'],
    ])
    await shown.getByRole('button', { name: 'requests' }).press('Enter')
    await eventually(said).toContain('Sorted by requests, ascending.')
    await shown.getByRole('checkbox', { name: 'us-1' }).press('Space')
    await eventually(said).toEqual(
      expect.arrayContaining(['checkbox All rows checked mixed', 'checkbox us-1 checked', '1 of 2 chosen']),
    )
  })

  it('has both sides of a change, each line with what became of it', async () => {
    const ask = { question: 'Which?', ...reviewDiff('a\nb\nc', 'a\nx\nc', { title: 'app.conf' }) }
    const { said } = await opened(ctx => ctx.elicit(ask))
    expect(await said()).toEqual([
      ...['main', 'heading Which? level 1', 'region app.conf', 'table'],
      ...['cell a', 'cell removed: b', 'cell added: x', 'cell c'],
      ...['Comment (optional)', 'textbox Comment (optional)', 'button Accept', 'button Decline'],
    ])
  })

  it('has images by what they show, none of them wrong before one is chosen', async () => {
    const { shown, said } = await opened(ctx => ctx.elicit({ question: 'Which?', ...chooseImage(images) }))
    expect(await said()).toEqual([
      ...['main', 'heading Which? level 1', 'group Images', 'Images'],
      ...['radio Round', 'Round', 'radio Square', 'Square'],
      ...['button Choose disabled', 'button Decline'],
    ])
    await shown.getByLabel('Square').check()
    await eventually(said).toEqual(expect.arrayContaining(['radio Square checked', 'button Choose']))
  })

  it('has what may be uploaded, that it was, and why something was not', async () => {
    const schema = file({ maxBytes: 20, types: ['application/pdf'], many: 2, title: 'Reports' })
    const { shown, said } = await opened(ctx => ctx.elicit({ question: 'Which?', schema, widget: uploadWidget }), true)
    const hint = 'Up to 2 files, each at most 20 bytes. application/pdf'
    expect(await said()).toEqual([
      ...['main', 'heading Which? level 1', 'Reports', `button Reports (${hint})`, hint, 'list'],
      ...['status live polite', 'button Send files disabled', 'button Decline'],
    ])
    const pdf = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
    await shown.getByLabel('Reports').setInputFiles(pdf)
    await eventually(said).toEqual(
      expect.arrayContaining([
        'a.pdf was uploaded: 8 bytes, application/pdf',
        'button Remove a.pdf',
        'button Send files',
      ]),
    )
    await shown
      .getByLabel('Reports')
      .first()
      .setInputFiles({ ...pdf, name: 'b.pdf', buffer: Buffer.alloc(30) })
    const tooLarge = 'The file is too large: at most 20 bytes are taken.'
    await eventually(said).toEqual(expect.arrayContaining(['alert live assertive', tooLarge]))
    expect((await said()).filter(line => line.includes('UNNAMED'))).toEqual([])
    await shown.getByRole('button', { name: 'Remove a.pdf' }).press('Enter')
    await eventually(said).toContain('a.pdf was removed.')
  })
})
