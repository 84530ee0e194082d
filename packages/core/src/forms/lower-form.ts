import { given, isRecord } from '../collections/record.js'
import { choicesOf, hasChoices, isTitled } from './choices.js'
import type { BooleanField, ChoicesField, Field, Form, TitledChoice } from './form.js'

/** The revisions of the Model Context Protocol that can ask. */
export type Revision = '2025-06-18' | '2025-11-25' | '2026-07-28'

/**
 * The same form in what a revision knows. 2025-06-18 has defaults for booleans only, titles as `enumNames`, and no
 * multi-select: that becomes one yes/no field for each option. Later revisions carry a form as it is.
 */
export function lowerForm(form: Form, revision: Revision): Form {
  if (revision !== '2025-06-18') return form
  const boxes = boxesOf(form)
  const lowered: Form = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(form.properties).flatMap(([name, field]): [string, Field][] =>
        field.type === 'array'
          ? boxes.filter(box => box.property === name).map(box => [box.name, box.field])
          : [[name, lowerField(field)]],
      ),
    ),
  }
  const required = form.required?.filter(name => form.properties[name]?.type !== 'array') ?? []
  if (required.length > 0) lowered.required = required
  return lowered
}

/** The content of a lowered form's answer as content of the form itself. What it cannot read it leaves for the check. */
export function raiseContent(form: Form, content: unknown, revision: Revision): unknown {
  if (revision !== '2025-06-18' || !isRecord(content)) return content
  const given = boxesOf(form).filter(box => Object.hasOwn(content, box.name))
  const raised: [string, unknown][] = []
  for (const [name, field] of Object.entries(form.properties)) {
    if (field.type === 'array') {
      const boxes = given.filter(box => box.property === name)
      if (boxes.length > 0 || form.required?.includes(name)) raised.push([name, readBoxes(boxes, content)])
    } else if (Object.hasOwn(content, name)) raised.push([name, content[name]])
  }
  return Object.fromEntries(raised)
}

function lowerField(field: Exclude<Field, ChoicesField>): Field {
  if (field.type === 'boolean') return field
  if (!hasChoices(field)) {
    const { default: _, ...rest } = field
    return rest
  }
  const { title, description } = field
  const choices = choicesOf(field)
  const enumNames = isTitled(choices) ? choices.map(choice => choice.title) : undefined
  return { type: 'string', enum: choices.map(choice => choice.const), ...given({ enumNames, title, description }) }
}

interface Box {
  property: string
  name: string
  choice: string
  field: BooleanField
}

/** One yes/no field for each option of each multi-select, named so that no two properties of the lowered form meet. */
function boxesOf(form: Form): Box[] {
  const taken = new Set(Object.keys(form.properties))
  return Object.entries(form.properties).flatMap(([property, field]) => {
    if (field.type !== 'array') return []
    return choicesOf(field).map(choice => {
      let name = `${property}.${choice.const}`
      while (taken.has(name)) name += '_'
      taken.add(name)
      return { property, name, choice: choice.const, field: boxField(property, field, choice) }
    })
  })
}

function boxField(property: string, field: ChoicesField, choice: TitledChoice): BooleanField {
  const title = `${field.title ?? property}: ${choice.title}`
  const preset = field.default?.includes(choice.const)
  return { type: 'boolean', title, ...given({ description: field.description, default: preset }) }
}

function readBoxes(boxes: Box[], content: Record<string, unknown>): unknown {
  const odd = boxes.find(box => typeof content[box.name] !== 'boolean')
  return odd === undefined ? boxes.filter(box => content[box.name] === true).map(box => box.choice) : content[odd.name]
}
