#!/usr/bin/env node
// npm links a command at install, and only to a file that is there: in a clone, what is built is not there yet.
import { existsSync } from 'node:fs'

const built = new URL('../dist/main.js', import.meta.url)

if (existsSync(built)) await import(built.href)
else {
  console.error('beckon: this clone is not built yet. Run `npm run build` in it first.')
  process.exitCode = 1
}
