// A server of 2025 on the SDK that its authors have: its tool is refused until a page was visited, and nobody is told when that
// happens. The first argument is where that SDK is, the second the file that is there once the page was visited.
import { existsSync } from 'node:fs'

const [sdk = '', visited = ''] = process.argv.slice(2)
const { McpServer } = await import(`${sdk}/server/mcp.js`)
const { StdioServerTransport } = await import(`${sdk}/server/stdio.js`)
const { UrlElicitationRequiredError } = await import(`${sdk}/types.js`)

const server = new McpServer({ name: 'page-first', version: '1.0.0' })
server.registerTool('files', { description: 'Lists files' }, () => {
  if (existsSync(visited)) return { content: [{ type: 'text', text: 'notes.txt' }] }
  const url = 'https://accounts.example/sign-in'
  throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Sign in first.', url, elicitationId: 'sign-in' }])
})
await server.connect(new StdioServerTransport())
