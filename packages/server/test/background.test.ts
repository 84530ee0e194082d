import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const register = new URL('../../../test/typescript/register.mjs', import.meta.url).href
const source = new URL('../src/index.ts', import.meta.url).href

it('lets the process end that listens in the background', { timeout: 120_000 }, async () => {
  const program = `
    import { createServer } from '${source}'
    const server = createServer({ name: 's', version: '1.0.0' })
    console.log((await server.listen({ port: 0, isBackground: true })).url)`
  const args = ['--conditions=@beckon/source', `--import=${register}`, '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/m)
})
