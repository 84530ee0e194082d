// The widget that uploads, in the inbox and in a real browser: a file goes from its frame straight to the server that asks.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type BeckonServer, createServer } from 'beckon'
import { type FileSchema, type FilesOptions, file, files, type UploadedFile } from 'beckon/files'
import { createTestClient } from 'beckon/test'
import { readyWidgets, uploadWidget } from 'beckon/widgets/ready'
import type { Frame } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, hasBrowser, type Person, patienceMs, Rig, type VisitOptions } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()
const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }
const pdf = { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nhello') }

describe.skipIf(!hasBrowser)('the widget that uploads', { timeout: 4 * patienceMs }, () => {
  rig.attend()
  const closing: (() => Promise<unknown>)[] = []
  let path: string
  let server: BeckonServer | undefined
  let given: UploadedFile | UploadedFile[] | null | undefined

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'beckon-upload-'))
    closing.push(() => rm(path, { recursive: true, force: true }))
  })

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** A tool that asks ana for files, on a server with an address of its own. */
  async function asks(schema: FileSchema, options: Partial<FilesOptions> = {}) {
    given = undefined
    server = createServer({
      name: 'claims',
      version: '1.0.0',
      desk: rig.desk,
      wait: 'hold',
      identify: () => 'ana',
      files: files({ to: path, ...options }),
      widgets: readyWidgets,
    })
    server.tool('claim', {}, async (_input, ctx) => {
      given = await ctx.elicit({ question: 'The report, please.', schema, widget: uploadWidget })
      return given === null ? 'nothing' : 'thanks'
    })
    const { url } = await server.listen({ port: 0 })
    const client = createTestClient(server, { principal: 'ana', capabilities: {} })
    closing.push(
      () => server?.close() ?? Promise.resolve(),
      () => client.close(),
    )
    const result = client.callTool('claim').then(({ content }) => (content[0] as { text?: string } | undefined)?.text)
    result.catch(() => {})
    return { result, host: new URL(url).host }
  }

  async function opened(host: string, options: VisitOptions = {}) {
    const ana = await rig.visit('ana', { reducedMotion: 'reduce', ...options })
    const requests: string[] = []
    ana.page.on('request', request => requests.push(request.url()))
    await ana.open('The report, please.')
    // Nothing of the server's is reached before the person says so.
    await ana.page.getByText(`goes straight to ${host}`).waitFor()
    expect(await ana.page.locator('beckon-widget iframe').count()).toBe(0)
    expect(requests.filter(url => url.includes(host))).toEqual([])
    await ana.page.getByRole('button', { name: 'Show it' }).press('Enter')
    const shown = ana.page.frameLocator('beckon-widget iframe')
    await shown.getByRole('heading').waitFor()
    return { ana, shown }
  }

  async function send(ana: Person): Promise<void> {
    await ana.page.getByText('Send it with the button below').waitFor()
    await ana.press('Send answer')
  }

  it('sends a file from its frame to the server, which the desk and the client never have', async () => {
    const { result, host } = await asks(file({ maxBytes: 100_000, types: ['application/pdf'] }))
    const { ana, shown } = await opened(host)
    expect(await shown.getByRole('button', { name: 'Send file' }).isDisabled()).toBe(true)
    await shown.getByLabel('File').setInputFiles(pdf)
    await eventually(() => shown.getByRole('status').textContent()).toContain('report.pdf was uploaded: 14 bytes')
    await shown.getByRole('button', { name: 'Send file' }).press('Enter')
    await send(ana)
    expect(await result).toBe('thanks')
    expect(given).toMatchObject({ name: 'report.pdf', type: 'application/pdf', size: 14 })
    const audited = JSON.stringify(await rig.desk?.audit.query())
    expect(audited).not.toContain('hello')
  })

  it('goes on after a reload with what was there, takes one back, and says what is wrong with another', async () => {
    const { result, host } = await asks(file({ maxBytes: 20, types: ['application/pdf'], many: 3 }))
    const first = await opened(host)
    await first.shown.getByLabel('File').setInputFiles([pdf, { ...pdf, name: '<img src=x onerror=alert(1)>.pdf' }])
    await first.shown.getByRole('button', { name: 'Remove <img' }).waitFor()
    await first.ana.page.context().close()
    const { ana, shown } = await opened(host)
    await shown.getByRole('button', { name: 'Remove <img' }).press('Enter')
    await eventually(() => shown.getByRole('listitem').count()).toBe(1)
    await shown.getByLabel('File').setInputFiles([
      { ...pdf, name: 'large.pdf', buffer: Buffer.alloc(21, 'x') },
      { ...pdf, name: 'false.pdf', buffer: Buffer.from('<svg onload=x>') },
    ])
    await eventually(() => shown.getByRole('alert').allTextContents()).toEqual([
      'The file is too large: at most 20 bytes are taken.',
      'This is image/svg+xml, by its content. What is taken is application/pdf.',
    ])
    await shown.getByRole('button', { name: 'Send files' }).press('Enter')
    await send(ana)
    expect(await result).toBe('thanks')
    expect(given).toMatchObject([{ name: 'report.pdf' }])
    // The browser says so of every answer like it.
    expect(ana.complaints.splice(0).join()).toContain('415')
  })

  it('sends 100 MB, and what arrives is what was sent', async () => {
    const bytes = Buffer.alloc(100 * 1024 * 1024, '%PDF-1.7 ')
    const large = join(path, '..', `${Date.now()}.pdf`)
    await writeFile(large, bytes)
    closing.push(() => rm(large, { force: true }))
    const { result, host } = await asks(file({ maxBytes: 200 * 1024 * 1024 }))
    const { ana, shown } = await opened(host)
    await shown.getByLabel('File').setInputFiles(large)
    await eventually(() => shown.getByRole('status').textContent()).toContain('100 MB')
    await shown.getByRole('button', { name: 'Send file' }).press('Enter')
    await send(ana)
    expect(await result).toBe('thanks')
    expect(given).toMatchObject({ digest: createHash('sha256').update(bytes).digest('base64url') })
  })

  it('offers the page of its own where the server cannot be reached from the frame, and for the plain form', async () => {
    const { host } = await asks(file({ maxBytes: 1_000 }))
    const { ana, shown } = await opened(host)
    await ana.page.context().setOffline(true)
    await shown.getByLabel('File').setInputFiles(pdf)
    await shown.getByText('The file could not be sent from here.').waitFor()
    await ana.page.context().setOffline(false)
    await shown.getByRole('button', { name: 'Upload on a page of its own instead' }).press('Enter')
    await send(ana)
    // The next ask leads to the page.
    await ana.page.getByText(`${host}/beckon/go/`).first().waitFor()
    expect(await readdir(path)).toEqual([])
    ana.complaints.splice(0)
  })

  it('can reach its server and nobody else', async () => {
    const { host } = await asks(file({ maxBytes: 1_000 }))
    const { ana } = await opened(host)
    const frame = ana.page.frames().find(each => each.parentFrame() !== null) as Frame
    const reach = (url: string) =>
      frame.evaluate(
        given =>
          fetch(given).then(
            () => 'reached',
            () => 'refused',
          ),
        url,
      )
    expect(await reach(`${rig.url}/api/asks`)).toBe('refused')
    // Its own origin is nobody's, and there is no cookie for it.
    expect(await frame.evaluate(() => window.origin)).toBe('null')
    const policy = (await (await fetch(frame.url())).headers.get('content-security-policy')) ?? ''
    expect(policy).toContain(`connect-src http://${host}`)
    expect(policy).toContain("default-src 'none'")
    // Its policy said so.
    expect(ana.complaints.splice(0).join()).toContain('Content Security Policy')
  })

  it('has nothing that axe finds wrong, and fits', async () => {
    const { host } = await asks(file({ maxBytes: 1_000, many: 3, title: 'Reports', description: 'Of this year.' }))
    const ways: VisitOptions[] = [{}, { ...phone, colorScheme: 'dark' }, { path: '/?dir=rtl' }]
    for (const way of ways) {
      const { ana, shown } = await opened(host, way)
      if (way.path === undefined && way.isMobile === undefined) {
        await shown.getByLabel('Reports').setInputFiles(pdf)
        await shown.getByRole('button', { name: 'Remove' }).waitFor()
      }
      const frame = ana.page.frames().find(each => each.parentFrame() !== null) as Frame
      await frame.evaluate(axe.source)
      const wrong = await frame.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
        return (await axe.run()).violations.map(({ id }) => id)
      })
      expect(wrong).toEqual([])
      const around = (await violations(ana)) as { id: string }[]
      expect(around.filter(({ id }) => way.isMobile !== true || id !== 'page-has-heading-one')).toEqual([])
      const wide = await shown.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(wide).toBeLessThanOrEqual(0)
    }
  })
})
