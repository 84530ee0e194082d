import { isNestedTooDeeply } from '@beckon/core/json-rpc'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { z } from 'zod'
import { unknownName } from '../options/unknown-name.js'
import type { Rule } from './rule.js'
import { ruleMembers, ruleSchema } from './rule-schema.js'

/** A mistake in a file of rules. */
export interface RuleMistake {
  readonly line: number
  readonly reason: string
}

/** Reads `{ "rules": [...] }`, or says what is wrong with each line. Comments are allowed. */
export function readRules(
  text: string,
  refuses: (rule: Rule) => string | undefined = () => undefined,
): { readonly rules: readonly Rule[] } | { readonly mistakes: RuleMistake[] } {
  // Code that walks it, as parsing does, would run out of stack.
  if (isNestedTooDeeply(text)) return { mistakes: [{ line: 1, reason: 'This is nested too deeply for rules.' }] }
  const lineAt = linesOf(text)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [broken] = errors
  if (broken !== undefined) return { mistakes: [{ line: lineAt(broken.offset), reason: notJson(broken) }] }
  const list = tree && findNodeAtLocation(tree, ['rules'])
  if (tree?.type !== 'object' || list?.type !== 'array')
    return { mistakes: [{ line: 1, reason: 'A file of rules is an object with a list called "rules".' }] }
  const other = tree.children?.find(({ children: [key] = [] }) => key?.value !== 'rules')
  if (other !== undefined)
    return {
      mistakes: [{ line: lineAt(other.offset), reason: `"${other.children?.[0]?.value}" is not an option here.` }],
    }
  const mistakes: RuleMistake[] = []
  const rules = new Map<string, Rule>()
  for (const node of list.children ?? []) {
    const { rule, issues } = parse(writtenIn(node))
    for (const issue of issues) mistakes.push({ line: lineAt(placeOf(node, issue)), reason: said(issue) })
    if (rule === undefined) continue
    const refused = refuses(rule)
    if (refused !== undefined) mistakes.push({ line: lineAt(node.offset), reason: refused })
    if (rules.has(rule.id)) mistakes.push({ line: lineAt(node.offset), reason: `There are two rules "${rule.id}".` })
    rules.set(rule.id, rule)
  }
  return mistakes.length > 0 ? { mistakes } : { rules: [...rules.values()] }
}

/** A rule from what somebody sent, or why it is none. */
export function readRule(value: unknown): Rule | string {
  const { rule, issues } = parse(value)
  return rule ?? issues.map(said).join(' ')
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'> & { readonly keys?: readonly string[] }

function parse(value: unknown): { readonly rule?: Rule | undefined; readonly issues: readonly Issue[] } {
  try {
    if (namesPrototype(value)) return { issues: [{ path: [], message: 'has a member called "__proto__"' }] }
    const { data: rule, error } = ruleSchema.safeParse(value)
    return { rule, issues: error?.issues ?? [] }
  } catch {
    // Zod compares the `length` of whatever has one, also where that is an object that nothing can be made of.
    return { issues: [{ path: [], message: 'has a value that cannot be read' }] }
  }
}

/** Zod leaves such a member out without a word, and a rule that says less is about more calls. */
function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype)
}

/** What is written, whatever its members are called. */
function writtenIn({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(writtenIn)
  if (type !== 'object') return value
  return Object.fromEntries(
    children.map(({ children: [key, member] = [] }) => [key?.value, member && writtenIn(member)]),
  )
}

/** What a problem says to a person. */
function said({ path, message, keys = [] }: Issue): string {
  const known = ruleMembers[path.join('.')]
  const unknown = known && unknownName(Object.fromEntries(keys.map(key => [key, true])), known)
  if (unknown !== undefined) return path.length === 0 ? `A rule: ${unknown}` : `"${path.join('.')}": ${unknown}`
  return path.length === 0 ? `A rule: ${message}.` : `"${path.join('.')}": ${message}.`
}

function notJson({ error }: ParseError): string {
  return `This is not JSON: ${printParseErrorCode(error)}.`
}

/** Which line something is in. A file may have as many mistakes as lines, so that lines are counted once. */
function linesOf(text: string): (offset: number) => number {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index)
  return offset => {
    const line = ends.findIndex(end => end >= offset)
    return (line === -1 ? ends.length : line) + 1
  }
}

/** Where a problem is, or else the nearest that there is around it. */
function placeOf(rule: Node, { path }: Issue): number {
  const steps = path.map(step => (typeof step === 'number' ? step : String(step)))
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(rule, steps.slice(0, length))
    if (node !== undefined) return node.offset
  }
  return rule.offset
}
