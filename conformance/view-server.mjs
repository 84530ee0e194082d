// A server whose asks are shown in views: by a widget of an author's, by ready ones, and by one that shows nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choices, createServer } from 'beckon'
import { file, files } from 'beckon/files'
import { defineWidget } from 'beckon/widgets'
import { chooseImage, imageWidget, listWidget, uploadWidget } from 'beckon/widgets/ready'
import { z } from 'zod'

const seats = defineWidget({
  name: 'seats',
  schema: z.object({ seats: z.array(z.object({ row: z.string(), seat: z.number() })).min(1) }),
  module: `
    import { connectWidget } from 'beckon/widget'
    connectWidget(ask => {
      const title = document.createElement('h1')
      title.textContent = ask.question
      const buttons = ask.data.map(seat => {
        const button = document.createElement('button')
        button.textContent = 'Seat ' + seat
        button.onclick = () => ask.answer({ seats: seat === 0 ? [] : [{ row: 'A', seat }] })
        return button
      })
      document.body.replaceChildren(title, ...buttons)
    })`,
})

const silent = defineWidget({
  name: 'silent',
  schema: z.object({ city: z.string() }),
  html: '<!doctype html><p>Nothing',
})

const cities = Array.from({ length: 100_000 }, (_, index) => ({ value: `c${index}`, label: `City ${index}` }))
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The server, and what its handlers got. */
export async function startViews() {
  const widgets = [seats, silent, listWidget, imageWidget, uploadWidget]
  const folder = await mkdtemp(join(tmpdir(), 'beckon-views-'))
  const server = createServer({ name: 'theatre', version: '1.0.0', widgets, files: files({ to: folder }) })
  /** @type {unknown[]} */
  const given = []
  const got = (/** @type {unknown} */ answer) => {
    given.push(answer)
    return { given: answer }
  }
  server.tool('book', { widget: seats }, async (_input, ctx) =>
    got(await ctx.elicit({ question: 'Which seat?', widget: seats, data: [0, 4, 5] })),
  )
  server.tool('travel', {}, async (_input, ctx) =>
    got(await ctx.elicit({ question: 'Where to?', schema: choices(cities), widget: listWidget })),
  )
  const images = chooseImage([{ value: 'a', label: 'Round', source: pixel }])
  server.tool('draw', {}, async (_input, ctx) => got(await ctx.elicit({ question: 'Which one?', ...images })))
  server.tool('wait', {}, async (_input, ctx) => got(await ctx.elicit({ question: 'Which city?', widget: silent })))
  server.tool('send', {}, async (_input, ctx) => {
    const schema = file({ maxBytes: 1_000, types: ['application/pdf'] })
    const sent = await ctx.elicit({ question: 'The script, please.', schema, widget: uploadWidget })
    return got(sent && { name: sent.name, size: sent.size })
  })
  const { url } = await server.listen({ port: 0 })
  const close = async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, close, given }
}
