import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../src/pages', import.meta.url))

/** Builds the pages as anyone would build theirs. */
export async function buildPages(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-elements-'))
  const input = ['react', 'vue', 'plain'].map(name => join(root, `${name}.html`))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input } },
  })
  return { folder, remove: () => rm(folder, { recursive: true }) }
}
