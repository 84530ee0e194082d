import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Question } from '../questions/question.js'
import { describeRefusal, type Refusal } from '../refusals/index.js'
import { type ChatState, checkAction as checkChatAction, type SessionSummary } from './chat/index.js'
import type { InputRequest } from './request.js'
import { checkAction as checkSessionAction, type SessionState } from './session-0.3/index.js'
import type { ActiveTurn, Turn } from './turn.js'

const questions: Question[] = [
  { id: 'name', kind: 'text', title: 'Name', message: 'Your name?', required: true, min: 2 },
  { id: 'mail', kind: 'text', message: 'Your address?', format: 'email' },
  { id: 'age', kind: 'integer', message: 'Your age?', min: 18 },
  { id: 'sure', kind: 'boolean', message: 'Sure?' },
  { id: 'colour', kind: 'single-select', message: 'Colour?', options: [{ id: 'red', label: 'Red' }] },
  {
    id: 'sizes',
    kind: 'multi-select',
    message: 'Sizes?',
    options: [{ id: 's', label: 'Small' }],
    allowFreeformInput: true,
  },
  { id: '__proto__', kind: 'text', message: 'Odd?' },
]
const text = (value: unknown, state = 'submitted') => ({ state, value: { kind: 'text', value } })
const many = (value: string[], freeformValues?: string[]) => ({
  state: 'submitted',
  value: { kind: 'selected-many', value, freeformValues },
})

const form: InputRequest = { id: 'form', questions }
const confirm: InputRequest = { id: 'confirm', message: 'Deploy?' }
const oddlyNamed: InputRequest = { id: 'toString', message: 'Deploy?' }
const sizes: InputRequest = { id: 'sizes', questions: questions.slice(5, 6).map(q => ({ ...q, required: true })) }
const colour: InputRequest = {
  id: 'colour',
  questions: [
    { id: 'colour', kind: 'single-select', message: '', options: [], allowFreeformInput: true, required: true },
  ],
}
const sure: InputRequest = {
  id: 'sure',
  questions: [{ id: 'sure', kind: 'boolean', message: 'Sure?', required: true }],
}
const answered: InputRequest = {
  id: 'answered',
  questions,
  answers: {
    name: { state: 'submitted', value: { kind: 'text', value: 'Ada' } },
    mail: { state: 'draft', value: { kind: 'text', value: 'ada@' } },
  },
}
const outdated: InputRequest = {
  id: 'outdated',
  questions: [{ id: 'age', kind: 'integer', message: 'Your age?', min: 18 }],
  answers: { age: { state: 'submitted', value: { kind: 'number', value: 3 } }, gone: { state: 'skipped' } },
}
const open = [form, confirm, oddlyNamed, sizes, colour, sure, answered, outdated]

const message = { text: 'Hello', origin: { kind: 'user' } }
const activeTurn: ActiveTurn = { id: 't1', message, responseParts: [{ kind: 'markdown', id: 'p', content: '' }] }
const ended: Turn = { id: 't0', message, responseParts: [], state: 'complete' }
const session: SessionState = {
  summary: { resource: 's', provider: 'beckon', title: '', status: 24, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [ended],
  activeTurn,
  inputRequests: open,
}
const chat: ChatState = {
  resource: 'c',
  title: '',
  status: 24,
  modifiedAt: '',
  turns: [ended],
  activeTurn: {
    ...activeTurn,
    responseParts: [...activeTurn.responseParts, ...open.map(request => ({ kind: 'inputRequest' as const, request }))],
  },
}
const summary: SessionSummary = { provider: '', title: '', status: 1, lifecycle: '', chats: [], activeClients: [] }
const { activeTurn: _s, inputRequests: _r, ...idleSession } = session
const { activeTurn: _c, ...idleChat } = chat

/** Both dialects hold requests to the same rules. The action's type is given without its prefix. */
const dialects = {
  'session/': { refuse: (action: unknown) => checkSessionAction(session, action), refuseIdle: refuseIdle(true) },
  'chat/': { refuse: (action: unknown) => checkChatAction(chat, action), refuseIdle: refuseIdle(false) },
}
function refuseIdle(early: boolean): (action: unknown) => Refusal | undefined {
  return action => (early ? checkSessionAction(idleSession, action) : checkChatAction(idleChat, action))
}
const said = (refusal: Refusal | undefined) => refusal && describeRefusal(refusal)

const change = (questionId: unknown, answer?: unknown, requestId: unknown = 'form') => ({
  type: 'inputAnswerChanged',
  requestId,
  questionId,
  ...(answer === undefined ? {} : { answer }),
})
const complete = (requestId: unknown, response: unknown, answers?: unknown) => ({
  type: 'inputCompleted',
  requestId,
  response,
  ...(answers === undefined ? {} : { answers }),
})

const accepted: [string, { type: string; [key: string]: unknown }][] = [
  ['a draft', change('name', text('A', 'draft'))],
  ['a half-typed address as a draft', change('mail', text('ada@', 'draft'))],
  ['a good draft over a submitted answer', change('name', text('Bob', 'draft'), 'answered')],
  ['clearing a submitted answer', change('name', undefined, 'answered')],
  ['a draft over a draft', change('mail', text('bob@', 'draft'), 'answered')],
  ['a submitted answer', change('name', text('Ada'))],
  ['a skipped answer', change('name', { state: 'skipped' })],
  ['clearing an answer', change('name')],
  ['clearing an answer whose question is gone', change('gone', undefined, 'outdated')],
  ['free-form text where it is allowed', change('sizes', many([], ['huge']))],
  ['a question called __proto__', change('__proto__', text('x'))],
  ['accepting a confirmation', complete('confirm', 'accept')],
  ['accepting a confirmation with no answers', complete('confirm', 'accept', {})],
  ['a request called toString', complete('toString', 'decline')],
  ['accepting with the required answer', complete('form', 'accept', { name: text('Ada') })],
  ['accepting with the answers that are there', complete('answered', 'accept')],
  [
    'a required yes or no that is no',
    complete('sure', 'accept', { sure: { state: 'submitted', value: { kind: 'boolean', value: false } } }),
  ],
  ['a required selection in other words', complete('sizes', 'accept', { sizes: many([], ['huge']) })],
  [
    'a required choice in other words',
    complete('colour', 'accept', {
      colour: { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['teal'] } },
    }),
  ],
  ['declining without the required answer', complete('form', 'decline')],
  [
    'cancelling with answers that are not done',
    complete('form', 'cancel', { name: text('A'), mail: text('a', 'draft') }),
  ],
  ['cancelling the active turn', { type: 'turnCancelled', turnId: 't1', duration: 3 }],
  ['cancelling without a duration', { type: 'turnCancelled', turnId: 't1' }],
  ['truncating at a turn', { type: 'truncated', turnId: 't0' }],
  ['truncating everything', { type: 'truncated' }],
  ['marking as read', { type: 'isReadChanged', isRead: true }],
  ['archiving', { type: 'isArchivedChanged', isArchived: false }],
]

const rejected: [string, { type: unknown; [key: string]: unknown }, string][] = [
  ['an unknown request', change('name', text('Ada'), 'nope'), 'no such ask'],
  ['no request', change('name', text('Ada'), null), 'no such ask'],
  ['a request called like an innard', change('name', text('Ada'), '__proto__'), 'no such ask'],
  ['completing an unknown request', complete('constructor', 'accept'), 'no such ask'],
  ['a bad draft over a submitted answer', change('name', text('B', 'draft'), 'answered'), 'at least 2'],
  ['an unknown question', change('nope', text('Ada')), 'no such question'],
  ['a question called like an innard', change('constructor', text('Ada')), 'no such question'],
  ['a question of a confirmation', change('name', text('Ada'), 'confirm'), 'no such question'],
  ['clearing what nobody asked or answered', change('constructor'), 'no such question'],
  ['an answer that is null', change('name', null), 'In an answer'],
  ['an answer without a value', change('name', { state: 'draft' }), 'value must be'],
  ['a value of another kind', change('age', text('30')), 'kind must be "number"'],
  ['a value that does not fit its kind', change('name', text(7)), 'text'],
  [
    'an option that is not there',
    change('colour', { state: 'draft', value: { kind: 'selected', value: 'blue' } }),
    'options',
  ],
  [
    'free-form text where the flag is absent',
    change('colour', { state: 'draft', value: { kind: 'selected', value: 'red', freeformValues: ['x'] } }),
    'other words',
  ],
  ['a submitted address that is none', change('mail', text('ada@')), 'e-mail'],
  ['a submitted age below the least', change('age', { state: 'submitted', value: { kind: 'number', value: 3 } }), '18'],
  ['an unknown response', complete('form', 'maybe'), 'accept, decline or cancel'],
  ['no response', complete('form', undefined), 'accept, decline or cancel'],
  ['answers that are a list', complete('form', 'accept', []), 'by question'],
  ['answers that are null', complete('form', 'decline', null), 'by question'],
  ['an answer to an unknown question', complete('form', 'decline', { nope: text('x') }), 'no such question'],
  ['an answer to a question of a confirmation', complete('confirm', 'accept', { name: text('x') }), 'no such question'],
  ['accepting without a required answer', complete('form', 'accept'), 'Name: An answer is required.'],
  [
    'accepting with a required answer as a draft',
    complete('form', 'accept', { name: text('Ada', 'draft') }),
    'required',
  ],
  [
    'accepting with a required answer skipped',
    complete('answered', 'accept', { name: { state: 'skipped' } }),
    'required',
  ],
  ['accepting with a required answer that is too short', complete('form', 'accept', { name: text('A') }), 'at least 2'],
  [
    'accepting with another answer that is wrong',
    complete('answered', 'accept', { mail: text('ada@') }),
    'Your address?: ',
  ],
  ['accepting with an answer that no longer fits', complete('outdated', 'accept'), '18'],
  ['accepting with a required selection of nothing', complete('sizes', 'accept', { sizes: many([]) }), 'required'],
  ['accepting with a required selection of blanks', complete('sizes', 'accept', { sizes: many([], ['']) }), 'required'],
  [
    'accepting with a required choice of a blank',
    complete('colour', 'accept', {
      colour: { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: [''] } },
    }),
    'required',
  ],
  [
    'declining with an answer of another kind',
    complete('form', 'decline', { age: text('3') }),
    'kind must be "number"',
  ],
  ['declining with an answer that is none', complete('form', 'decline', { age: 3 }), 'In an answer'],
  ['a turn while another is active', { type: 'turnStarted', turnId: 't2', message }, 'in progress'],
  ['cancelling another turn', { type: 'turnCancelled', turnId: 't0' }, 'not in progress'],
  ['cancelling with a duration that is none', { type: 'turnCancelled', turnId: 't1', duration: 'long' }, 'number'],
  ['truncating at an unknown turn', { type: 'truncated', turnId: null }, 'no such turn'],
  ['a mark that is none', { type: 'isReadChanged', isRead: 1 }, 'true or false'],
  ['a mark that is missing', { type: 'isArchivedChanged' }, 'true or false'],
  ['an action of the host', { type: 'inputRequested', request: form }, 'cannot send'],
  ['the end of a turn', { type: 'turnComplete', turnId: 't1' }, 'cannot send'],
  ['a type nobody knows', { type: '__proto__' }, 'cannot send'],
]

describe.each(Object.entries(dialects))('%s', (prefix, { refuse, refuseIdle }) => {
  const check = (action: unknown) => said(refuse(action))
  const idle = (action: unknown) => said(refuseIdle(action))

  it.each(accepted)('accepts %s', (_, action) => {
    expect(check({ ...action, type: prefix + action.type })).toBeUndefined()
  })

  it.each(rejected)('rejects %s', (_, action, reason) => {
    expect(check({ ...action, type: prefix + action.type })).toContain(reason)
  })

  it.each([null, undefined, 'text', 7, [], [[]]])('rejects %j, which is no action', action => {
    expect(check(action)).toBe('In an action, type must be a string.')
  })

  it('rejects what has no type, or one that is not a text', () => {
    expect(check({})).toContain('cannot send')
    expect(check({ type: [`${prefix}truncated`] })).toContain('cannot send')
  })

  it('accepts a turn while none is active', () => {
    const start = { type: `${prefix}turnStarted`, turnId: 't2', message }
    expect(idle(start)).toBeUndefined()
    expect(
      idle({ ...start, message: { text: 'Hello' }, queuedMessageId: 'm1', startedAt: '2026-01-01' }),
    ).toBeUndefined()
  })

  it.each([
    [{ turnId: undefined }, 'turnId'],
    [{ turnId: '' }, 'turnId'],
    [{ turnId: 't0' }, 'already'],
    [{ message: 'Hello' }, 'message'],
    [{ message: {} }, 'message'],
    [{ message: { text: 'Hello', origin: 'user' } }, 'origin.kind must be user'],
    [{ message: { text: 'Hello', origin: { kind: 'agent' } } }, 'origin.kind must be user'],
    [{ startedAt: 5 }, 'startedAt'],
    [{ queuedMessageId: 5 }, 'string'],
  ])('rejects a turn with %j', (fields, reason) => {
    expect(idle({ type: `${prefix}turnStarted`, turnId: 't2', message, ...fields })).toContain(reason)
  })

  it('rejects answers where nothing is asked', () => {
    expect(idle({ ...change('name', text('Ada')), type: `${prefix}inputAnswerChanged` })).toContain('no such ask')
    expect(idle({ type: `${prefix}turnCancelled` })).toContain('not in progress')
  })

  it('never throws and never repeats an answer', () => {
    const secret = 'Open sesame'
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(secret, [secret], text(secret), many([secret], [secret])),
    )
    const type = fc.constantFrom(...new Set([...accepted, ...rejected].map(([, action]) => prefix + action.type)))
    const ids = fc.constantFrom(...open.map(({ id }) => id), '__proto__')
    const keys = fc.constantFrom('name', 'age', 'colour', 'sizes', '__proto__', 'constructor')
    const action = fc.record(
      {
        type,
        requestId: fc.oneof(ids, value),
        questionId: fc.oneof(keys, value),
        answer: fc.oneof(fc.record({ state: fc.constantFrom('draft', 'submitted', 'skipped'), value }), value),
        response: fc.oneof(fc.constantFrom('accept', 'decline', 'cancel'), value),
        answers: fc.oneof(fc.dictionary(keys, value), value),
        turnId: fc.oneof(fc.constantFrom('t0', 't1'), value),
        message: value,
        duration: value,
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.oneof(action, fc.anything()), action => {
        const refusals = [refuse(action), refuseIdle(action)]
        expect(JSON.stringify(refusals)).not.toContain(secret)
        expect(refusals.map(said).join()).not.toContain(secret)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a request of the later dialect', () => {
  it('that was answered is closed', () => {
    const closed: ChatState = {
      ...chat,
      activeTurn: { ...activeTurn, responseParts: [{ kind: 'inputRequest', request: confirm, response: 'accept' }] },
    }
    expect(said(checkChatAction(closed, { ...complete('confirm', 'accept'), type: 'chat/inputCompleted' }))).toContain(
      'no longer',
    )
  })

  it('that was left open when its turn ended is closed', () => {
    const closed: ChatState = {
      ...idleChat,
      turns: [{ ...ended, responseParts: [{ kind: 'inputRequest', request: confirm }] }],
    }
    expect(said(checkChatAction(closed, { ...complete('confirm', 'accept'), type: 'chat/inputCompleted' }))).toContain(
      'no longer',
    )
  })
})

describe('a title', () => {
  it.each([
    ['session-0.3', (action: unknown) => checkSessionAction(session, action)],
    ['session-summary', (action: unknown) => checkChatAction(summary, action)],
  ])('can be given by a client of %s', (_, check) => {
    expect(check({ type: 'session/titleChanged', title: 'Releases' })).toBeUndefined()
    expect(said(check({ type: 'session/titleChanged', title: 7 }))).toContain('title must be a string')
  })
})

describe('the session channel of the later dialect', () => {
  it('takes marks, and nothing that belongs to a chat or to the host', () => {
    expect(said(checkChatAction(summary, { type: 'session/isReadChanged', isRead: true }))).toBeUndefined()
    expect(said(checkChatAction(summary, { type: 'session/isArchivedChanged', isArchived: true }))).toBeUndefined()
    expect(said(checkChatAction(summary, { type: 'session/isReadChanged' }))).toContain('true or false')
    expect(said(checkChatAction(summary, { type: 'session/inputNeededSet', request: {} }))).toContain('cannot send')
    expect(said(checkChatAction(summary, { type: 'chat/truncated' }))).toContain('cannot send')
    expect(said(checkChatAction(chat, { type: 'session/titleChanged', title: 'x' }))).toContain('cannot send')
    expect(said(checkChatAction(summary, null))).toBe('In an action, type must be a string.')
  })
})
