import type { Content } from '../ask/outcome.js'
import { isRecord, own } from '../collections/record.js'
import type { Issue } from '../errors/index.js'
import { checkField } from './check-field.js'
import { describeFieldProblem, type FieldProblem } from './field-problem.js'
import type { Form } from './form.js'

/** What a check gives: the value, or what is wrong with it. */
export type Checked<T = Content> = { value: T; issues?: undefined } | { issues: Issue[] }

/**
 * Checks the content of an answer against its form. Properties that the form does not have are dropped.
 *
 * @example
 * checkContent(formOf({ type: 'object', properties: { age: { type: 'integer' } } }), { age: 1.5 })
 * // { issues: [{ path: ['age'], message: 'Enter a whole number.' }] }
 */
export function checkContent(form: Form, content: unknown): Checked {
  if (!isRecord(content)) return { issues: [{ path: [], message: 'Fill in the form.' }] }
  const entries: [string, unknown][] = []
  const issues: Issue[] = []
  for (const [name, field] of Object.entries(form.properties)) {
    const value = own(content, name)
    if (value === undefined) {
      if (form.required?.includes(name)) issues.push(issueOf(name, { code: 'required' }))
      continue
    }
    const problem = checkField(field, value)
    if (problem !== undefined) issues.push(issueOf(name, problem))
    entries.push([name, value])
  }
  const checked = Object.fromEntries(entries)
  return isWithout(issues, checked) ? { value: checked } : { issues }
}

/** Values that nothing is wrong with are those of their fields. */
function isWithout(issues: Issue[], _checked: Record<string, unknown>): _checked is Content {
  return issues.length === 0
}

function issueOf(name: string, problem: FieldProblem): Issue {
  return { path: [name], message: describeFieldProblem(problem) }
}
