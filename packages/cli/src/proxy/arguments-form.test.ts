import { askUntilValid, type Form } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import type { Fields } from '../fields.js'
import { editableArguments } from './arguments-form.js'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Which file', pattern: '^/' },
    depth: { type: 'integer', minimum: 1 },
    mode: { type: 'string', enum: ['soft', 'hard'] },
    filter: { type: 'object', properties: { size: { type: 'number' } } },
    password: { type: 'string' },
  },
  required: ['path'],
}
const input = { path: '/tmp', filter: { size: 3 }, password: 'secret', extra: [1, 2] }

/** Asks with these answers, one after the other. */
async function change(...answers: Fields[]) {
  const editable = editableArguments(schema, input)
  if (editable === undefined) throw new Error('There is nothing to change.')
  const asked: { question: string; form: Form }[] = []
  const outcome = await askUntilValid({ question: 'Run?', ...editable }, async form => {
    asked.push({ ...form, form: asked.length === 0 ? form.form : await editable.told(form.form) })
    return { action: 'accept' as const, content: answers[asked.length - 1] }
  })
  return { asked, content: outcome.action === 'accept' ? outcome.content : undefined }
}

describe('the arguments of a call as a form', () => {
  it('has a field for each that a form can have, and JSON for the others', async () => {
    const { asked } = await change({ path: '/tmp', filter: '{"size":3}', extra: '[1,2]' })
    expect(asked[0]?.form).toMatchObject({
      properties: {
        path: { type: 'string', description: 'Which file', default: '/tmp' },
        depth: { type: 'integer', minimum: 1 },
        mode: { enum: ['soft', 'hard'] },
        filter: { type: 'string', default: '{"size":3}' },
        extra: { type: 'string', default: '[1,2]' },
      },
      required: ['path'],
    })
    expect(JSON.stringify(asked)).not.toContain('secret')
  })

  it('gives what was changed, and keeps what a form must not ask for', async () => {
    const { content } = await change({ path: '/home', depth: 2, filter: '{"size":4}', extra: '' })
    expect(content).toEqual({ path: '/home', depth: 2, filter: { size: 4 }, password: 'secret' })
  })

  it.each([
    [{ path: 'home', filter: '', extra: '' }, 'path', /^Does not fit: This must match pattern.*\nWhich file$/],
    [{ path: '/home', filter: '{size', extra: '' }, 'filter', /^Does not fit: This is not JSON\.\nAs JSON\.$/],
    [
      { path: '/home', filter: '{"size":"big"}', extra: '' },
      'filter',
      /^Does not fit: This is not valid\.\nAs JSON\.$/,
    ],
  ])('asks again at the field for %j, which does not fit the schema of the tool', async (wrong, field, words) => {
    const right = { path: '/home', filter: '', extra: '' }
    const { asked, content } = await change(wrong, right)
    expect(asked).toHaveLength(2)
    expect(asked[1]?.question).toContain(field)
    const properties = asked[1]?.form.properties ?? {}
    expect(properties[field]?.description).toMatch(words)
    const others = Object.entries(properties).filter(([name]) => name !== field)
    expect(JSON.stringify(others)).not.toContain('Does not fit')
    expect(content).toEqual({ path: '/home', password: 'secret' })
  })

  it('is nothing where there is nothing to change', () => {
    expect(editableArguments({ type: 'object' }, {})).toBeUndefined()
  })
})
