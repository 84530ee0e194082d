// Rule files, and rules as somebody sends them: what is read decides about calls, and a call that can destroy something is never
// allowed by a rule that does not say so.
import { built } from '../../bench/built.mjs'
import { finding } from '../judge.mjs'
import { mutated, mutatedText } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */

/** @type {typeof import('../../packages/desk/src/rules/decide.js')} */
const { appliesTo, rulingOn } = await built('desk/dist/rules/decide.js')
/** @type {typeof import('../../packages/desk/src/rules/read-rules.js')} */
const { readRule, readRules } = await built('desk/dist/rules/read-rules.js')

const rules = [
  { id: 'reads', effect: 'allow', match: { server: 'shop', tool: 'read_*', readOnly: true } },
  {
    id: 'small',
    effect: 'allow',
    match: {
      tool: 'pay',
      arguments: { amount: { min: 0, max: 50 }, to: { oneOf: ['a', 'b'] }, '/a/b': { prefix: 'x' } },
    },
    from: 0,
    until: 8e15,
  },
  { id: 'never', effect: 'deny', match: { tool: 'drop_*', destructive: true }, reason: 'Never.' },
  {
    id: 'two',
    effect: 'ask',
    match: { server: 'bank', group: 'staff', exactArguments: { a: [1] } },
    audience: { groups: ['board'], principals: ['ada'] },
    quorum: 2,
    escalation: { afterMs: 1_000, audience: { principals: ['eve'] } },
  },
]
const calls = [
  { server: 'shop', tool: 'read_list', readOnly: true, input: {} },
  { server: 'shop', tool: 'pay', input: { amount: 20, to: 'a', a: { b: 'xy' } }, principal: 'ada', groups: ['staff'] },
  { server: 'shop', tool: 'drop_all', destructive: true, input: { amount: 20 } },
]

/** @type {Target} */
export const ruleFiles = {
  share: 4,
  atOnce: 1,
  honestEvery: 1_000,
  async open() {
    return {
      attack(random) {
        const text = mutatedText(random, { rules }, calls)
        const read = readRules(text)
        if ('mistakes' in read) {
          if (read.mistakes.length === 0 || !read.mistakes.every(({ line, reason }) => line >= 1 && reason !== ''))
            throw finding('mistakes that say nothing', JSON.stringify(read.mistakes), text)
        } else decide(random, read.rules, text)
        const rule = readRule(mutated(random, random.pick(rules), calls))
        if (typeof rule === 'string' ? rule === '' : false) throw finding('a refusal that says nothing', '', text)
      },
      async honest() {
        const read = readRules(`// ours\n${JSON.stringify({ rules })}`)
        if ('mistakes' in read) throw new Error(JSON.stringify(read.mistakes))
        const decided = calls.map(call => {
          const ruling = rulingOn(read.rules.filter(rule => appliesTo(rule, call, 1) === true))
          return ruling && 'general' in ruling ? ruling.general.id : undefined
        })
        if (decided.join() !== 'reads,small,never') throw new Error(decided.join())
      },
    }
  },
}

/**
 * @param {import('../../faults/random.mjs').Random} random
 * @param {readonly import('@beckon/desk').Rule[]} read
 * @param {string} text
 */
function decide(random, read, text) {
  const call = /** @type {typeof calls[number]} */ (
    random.next() < 0.5 ? random.pick(calls) : { ...random.pick(calls), input: mutated(random, calls[1]) }
  )
  const ruling = rulingOn(read.filter(rule => appliesTo(rule, call, Date.now()) === true))
  const decided = ruling && ('general' in ruling ? [ruling.general] : ruling.own)
  if (call.destructive && decided?.some(({ effect, match }) => effect === 'allow' && match.destructive !== true))
    throw finding(
      'what can destroy something was allowed by a rule that does not say so',
      JSON.stringify(decided),
      text,
    )
}
