import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { z } from 'zod'
import type { Rule } from './rule.js'
import { ruleSchema } from './rule-schema.js'

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
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
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
    const { data: rule, error } = ruleSchema.safeParse(getNodeValue(node))
    for (const issue of error?.issues ?? []) mistakes.push({ line: lineAt(placeOf(node, issue)), reason: said(issue) })
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
  const { data: rule, error } = ruleSchema.safeParse(value)
  return rule ?? (error?.issues ?? []).map(said).join(' ')
}

/** What a problem says to a person. */
function said({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): string {
  return path.length === 0 ? `A rule: ${message}.` : `"${path.join('.')}": ${message}.`
}

function notJson({ error }: ParseError): string {
  return `This is not JSON: ${printParseErrorCode(error)}.`
}

/** Where a problem is, or else the nearest that there is around it. */
function placeOf(rule: Node, { path }: z.core.$ZodIssue): number {
  const steps = path.map(step => (typeof step === 'number' ? step : String(step)))
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(rule, steps.slice(0, length))
    if (node !== undefined) return node.offset
  }
  return rule.offset
}
