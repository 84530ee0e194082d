import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { drawSequence, parseSequence } from './sequence-diagram.mjs'

it('reads who takes part, what they send and what is noted', () => {
  const { participants, steps } = parseSequence(
    'sequenceDiagram\n  participant A as Ada\n  participant B\n  A->>B: hello\n  B-->>A: hi\n  Note over B: done',
  )
  expect([...participants]).toEqual([
    ['A', 'Ada'],
    ['B', 'B'],
  ])
  expect(steps).toEqual([
    { kind: 'message', from: 'A', to: 'B', dashed: false, words: 'hello' },
    { kind: 'message', from: 'B', to: 'A', dashed: true, words: 'hi' },
    { kind: 'note', over: 'B', words: 'done' },
  ])
})

it('refuses what it cannot draw, and who takes no part', () => {
  expect(() => parseSequence('sequenceDiagram\nloop forever')).toThrow('loop forever')
  expect(() => parseSequence('sequenceDiagram\nparticipant A\nA->>B: hello')).toThrow('"B" takes no part')
  expect(() => parseSequence('flowchart TD')).toThrow('Not a sequence diagram')
})

it('escapes words, and says in words what it shows', () => {
  const svg = drawSequence('sequenceDiagram\nparticipant A as <b>\nA->>A: "x" & y')
  expect(svg).toContain('>&lt;b></text>')
  expect(svg).toContain('aria-label="&lt;b> to &lt;b>: &quot;x&quot; &amp; y."')
})

it('draws every diagram of the documentation', async () => {
  const page = await readFile(new URL('../docs/how-it-works.md', import.meta.url), 'utf8')
  const diagrams = Array.from(page.matchAll(/^```mermaid\n(.*?)^```$/gms), ([, source]) => drawSequence(source))
  expect(diagrams).toHaveLength(4)
})
