import { type BeckonServer, createServer } from 'beckon'
import { diff, markdown, table } from 'beckon/show'
import { z } from 'zod'

/** A tool that shows what it is about to change. */
export function createOps(options: Partial<Parameters<typeof createServer>[0]> = {}): BeckonServer {
  let config = 'listen = 80\nworkers = 4\n'
  const server = createServer({ name: 'ops', version: '1.0.0', ...options })
  server.tool('set_port', { input: z.object({ port: z.number() }) }, async ({ port }, ctx) => {
    const changed = config.replace(/listen = \d+/, `listen = ${port}`)
    const isSure = await ctx.confirm({
      question: 'Change the port on every server?',
      show: [
        markdown('Connections that are open **stay open**.'),
        diff(config, changed, { title: 'nginx.conf' }),
        table([
          { server: 'eu-1', connections: 1240 },
          { server: 'us-1', connections: 310 },
        ]),
      ],
    })
    if (!isSure) return ctx.text('Nothing was changed.')
    config = await ctx.step('save', () => changed)
    return ctx.text(`The port is ${port} now.`)
  })
  return server
}
