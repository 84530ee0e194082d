import { maxCommentChars } from '../../actions/people-actions.js'
import { refusals } from '../../policy/refusals.js'
import { maxCount, maxReasonChars } from '../limits.js'
import { adminSchemas } from './admin-schemas.js'
import { notifySchemas } from './notify-operations.js'
import { ruleSchemas } from './rule-schemas.js'
import { exactly, listOf, object, ref, type Schema } from './shapes.js'

const text = { type: 'string' } as const
const time = { type: 'integer', description: 'Milliseconds since 1970.' } as const
const seen = {
  askedAt: { type: 'integer', description: 'That of the ask that was read. Another one of the same id gets 409.' },
} as const
const count = { type: 'integer', minimum: 0 } as const

const params = {
  type: 'object',
  description:
    'What a sentence about the code is made of, for one in another language. Which ones there are, the code says.',
} as const

const names = { type: 'object', additionalProperties: text } as const

const cursor = { type: 'string', description: 'For the next page. Absent on the last one.' }

const subject = {
  id: text,
  kind: { enum: ['confirm', 'form', 'url'] },
  session: text,
  server: { type: 'string', description: 'Who asks.' },
  title: text,
  message: text,
  askedAt: time,
  expiresAt: time,
}
const about = {
  asker: { type: 'string', description: 'Who asks through the server, when it is not the server itself.' },
  tool: text,
  arguments: { description: 'What the tool was called with.' },
  destructive: { const: true, description: 'The tool can destroy something.' },
  readOnly: { const: true, description: 'The tool changes nothing.' },
  rule: { type: 'string', description: 'The rule that says whom it is for.' },
  person: { const: 'verified', description: 'It is accepted with a passkey.' },
  show: { ...listOf(ref('Block')), description: 'What is shown beside the question.' },
  url: { type: 'string', description: 'The page to visit.' },
}
/** What is known of an ask beside what it is about. */
const people = {
  to: ref('NamedAudience'),
  approval: ref('Approval'),
  comments: listOf(ref('Comment')),
  report: ref('Report'),
}

const question = { id: text, message: text }
const questionWords = { title: text, required: { type: 'boolean' } }
const bounds = { min: { type: 'number' }, max: { type: 'number' } }
const choices = { options: listOf(ref('Option')) }
const freeform = { allowFreeformInput: { type: 'boolean' } }

const event = { id: text, session: text, at: time }
const eventWords = { server: text, by: text }

export const schemas: Readonly<Record<string, Schema>> = {
  Option: object({ id: text, label: text }, { description: text, recommended: { type: 'boolean' } }),
  Question: {
    oneOf: [
      object(
        { ...question, kind: { const: 'text' } },
        { ...questionWords, ...bounds, format: text, defaultValue: text },
      ),
      object(
        { ...question, kind: { enum: ['number', 'integer'] } },
        { ...questionWords, ...bounds, defaultValue: { type: 'number' } },
      ),
      object({ ...question, kind: { const: 'boolean' } }, { ...questionWords, defaultValue: { type: 'boolean' } }),
      object({ ...question, kind: { const: 'single-select' }, ...choices }, { ...questionWords, ...freeform }),
      object(
        { ...question, kind: { const: 'multi-select' }, ...choices },
        { ...questionWords, ...freeform, ...bounds },
      ),
    ],
  },
  Value: {
    description: 'A plain answer: an option is its id, or other words where the question takes them.',
    type: ['string', 'number', 'boolean', 'array'],
    items: text,
  },
  Draft: object({ state: { enum: ['draft', 'submitted', 'skipped'] } }, { value: ref('Value') }),
  Block: {
    description:
      'Something that is shown beside a question: typed data, never markup. At most 20 with an ask, and 192 KB in all.',
    oneOf: [
      object({ kind: { const: 'markdown' }, text }),
      object({ kind: { const: 'diff' }, before: text, after: text }, { title: text }),
      object(
        {
          kind: { const: 'table' },
          columns: listOf(text),
          rows: listOf(listOf({ type: ['string', 'number', 'boolean', 'null'] })),
        },
        { title: text },
      ),
      object({ kind: { const: 'code' }, text }, { title: text, language: text }),
      object({ kind: { const: 'json' }, value: {} }, { title: text }),
      object({
        kind: { const: 'image' },
        alt: text,
        type: { enum: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
        data: { ...text, description: 'In base64.' },
      }),
      object({ kind: { const: 'image' }, alt: text, url: text }),
      object({ kind: { const: 'link' }, url: text }, { title: text }),
    ],
  },
  OpenAsk: object(
    {
      ...subject,
      status: { const: 'open' },
      questions: listOf(ref('Question')),
      drafts: { type: 'object', additionalProperties: ref('Draft'), description: 'By question id.' },
    },
    { ...about, ...people },
  ),
  NamedAudience: {
    ...object({}, { principals: listOf(text), groups: listOf(text), standIns: names }),
    description:
      'Whom it is for. Absent: anyone on the desk. standIns says for whom a principal stands in who is away.',
  },
  Approval: {
    ...object({ of: count, by: listOf(text), missing: listOf(text) }, { groups: listOf(text), requester: text }),
    description:
      'Where it says how many have to accept: how many, who has, and who could; groups are those whose members the desk cannot name; requester is who called, where they are asked, too, and do not count.',
  },
  Comment: object({ by: text, at: time, text }),
  Report: {
    ...object({ status: { enum: ['done', 'failed'] }, at: time }, { text }),
    description: 'How the call ended, as its server says: the beginning of the result, or why it failed.',
  },
  Ended: object(
    { event: { enum: ['answered', 'withdrawn', 'expired'] } },
    {
      response: { enum: ['accept', 'decline', 'cancel'] },
      by: { type: 'string', description: 'Who answered.' },
      rule: { type: 'string', description: 'The rule that answered; with by, their own.' },
      reason: { type: 'string', description: 'Why it was declined.' },
    },
  ),
  EndedAsk: object({ ...subject, status: { const: 'ended' }, ended: ref('Ended') }, { ...about, ...people }),
  Ask: { oneOf: [ref('OpenAsk'), ref('EndedAsk')] },
  AskPage: object(
    {
      asks: listOf(ref('OpenAsk')),
      open: {
        ...count,
        maximum: maxCount,
        description: `Open asks that are for you; ${maxCount} are that many or more.`,
      },
    },
    {
      nextCursor: cursor,
      searchedTo: {
        ...time,
        description: 'Asks that are older than this were not looked at: nextCursor goes on there.',
      },
    },
  ),
  NewAsk: exactly(
    {
      id: { type: 'string', maxLength: 100, description: 'The same id with the same content is the same ask.' },
      message: text,
    },
    {
      schema: {
        type: 'object',
        description: 'A form, as a flat JSON Schema. Without one, and without url, a yes or no.',
      },
      url: about.url,
      call: { type: 'string', maxLength: 100, description: 'Asks with the same are shown together.' },
      title: text,
      tool: text,
      arguments: about.arguments,
      destructive: { type: 'boolean' },
      readOnly: { type: 'boolean' },
      show: { ...listOf(ref('Block')), description: 'What is shown beside the message.' },
      approves: {
        type: 'boolean',
        description:
          'Whether the call may run is what is asked. A form has its arguments as they are, to be changed: a rule may accept it so, and an accept leaves what it does not answer as it is.',
      },
      asker: about.asker,
      principal: { type: 'string', description: 'For whom this is, unless there is an audience.' },
      audience: ref('Audience'),
      quorum: { type: 'integer', minimum: 1, description: 'How many different people have to accept.' },
      outlastsDecline: { type: 'boolean', description: 'A decline does not end a quorum.' },
      requesterCounts: { type: 'boolean', description: 'The caller may be one of the quorum.' },
      remindAfterMs: listOf({ type: 'number', minimum: 0 }),
      person: {
        enum: ['present', 'verified'],
        description: 'present: only a person accepts it, and no rule. verified: only with a passkey.',
      },
      receipt: { type: 'boolean', description: 'How it ends is signed.' },
      escalation: exactly({ afterMs: { type: 'number', minimum: 0 }, audience: ref('Audience') }),
      expiresAt: time,
      timeoutMs: { type: 'number', description: 'Instead of expiresAt. Default: 24 hours.' },
    },
  ),
  Audience: exactly({}, { principals: listOf(text), groups: listOf(text) }),
  OpenedAsk: object(
    { id: text, session: text, link: { type: 'string', description: 'For a person.' }, expiresAt: time },
    {
      unseen: {
        ...listOf(text),
        description:
          'Those of its audience whom the desk has never let in, and groups that nobody was ever seen in, as "group ops".',
      },
    },
  ),
  Outcome: object(
    { action: { enum: ['accept', 'decline', 'cancel'] } },
    {
      content: { type: 'object', additionalProperties: ref('Value') },
      reason: { type: 'string', description: 'Why it was declined.' },
      why: { enum: ['expired', 'withdrawn'], description: 'Why nobody answered.' },
      by: { ...listOf(object({}, { principal: text, name: text, rule: text })), description: 'Who answered.' },
      receipt: { ...text, description: 'A signed statement of it.' },
    },
  ),
  Nothing: exactly({}),
  StillOpen: object({}, { search: object({ id: text, search: { ...text, description: 'What someone typed.' } }) }),
  FoundBody: exactly({}, { options: listOf(object({ value: text, label: text })) }),
  AnswerBody: exactly(
    {},
    {
      content: {
        type: 'object',
        description: 'By question id; null skips a question. Empty for a confirm.',
        additionalProperties: { oneOf: [ref('Value'), { type: 'null' }] },
      },
      passkey: {
        type: 'object',
        description: 'What navigator.credentials.get gave for the challenge of this ask, where it takes a passkey.',
      },
      ...seen,
    },
  ),
  Passkeys: object(
    { passkeys: listOf(object({ id: text, name: text, createdAt: time }, { usedAt: time })) },
    {
      withoutPasskey: {
        enum: ['enrol', 'refuse'],
        description: 'Whether an ask is where a first one is made. Absent on a desk that takes no passkeys.',
      },
    },
  ),
  PasskeyOptions: object(
    {},
    {
      create: { type: 'object', description: 'For navigator.credentials.create.' },
      get: { type: 'object', description: 'For navigator.credentials.get, before anything else.' },
    },
  ),
  PasskeyBody: exactly(
    {},
    {
      create: { type: 'object', description: 'What navigator.credentials.create gave.' },
      get: { type: 'object', description: 'What navigator.credentials.get gave.' },
      name: text,
    },
  ),
  Removed: object({ removed: count }),
  ...adminSchemas,
  ...ruleSchemas,
  ...notifySchemas,
  DeclineBody: exactly({}, { reason: { type: 'string', maxLength: maxReasonChars }, ...seen }),
  CancelBody: exactly({}, seen),
  CommentBody: exactly({ text: { type: 'string', minLength: 1, maxLength: maxCommentChars } }),
  DelegateBody: exactly({ to: { type: 'string', description: 'The principal who is asked instead.' } }),
  ReportBody: exactly(
    { status: { enum: ['done', 'failed'] } },
    { text: { type: 'string', description: 'The first 500 characters are kept.' } },
  ),
  Me: object(
    { principal: text, role: { enum: ['member', 'auditor', 'admin'] }, groups: listOf(text) },
    { away: ref('Away') },
  ),
  Away: object({ from: time, until: time, to: { type: 'string', description: 'The principal who stands in.' } }),
  AwayBody: exactly({ until: time, to: text }, { from: { ...time, description: 'Default: now.' } }),
  DraftBody: {
    oneOf: [
      exactly(
        { value: { oneOf: [ref('Value'), { type: 'null' }], description: 'null takes the draft back.' } },
        { state: { enum: ['draft', 'submitted'] } },
      ),
      exactly({ state: { const: 'skipped' } }),
    ],
  },
  DraftNow: { oneOf: [ref('Draft'), object({ state: { const: 'cleared' } })] },
  Recorded: object({
    status: { const: 'recorded' },
    params: object({ count, of: count }),
    message: { type: 'string', description: 'For example "Your answer is recorded: 1 of 2 have accepted."' },
  }),
  Session: object({ id: text, title: text, server: text, createdAt: time, modifiedAt: time, openAsks: count }),
  SessionPage: object({ sessions: listOf(ref('Session')) }, { nextCursor: cursor }),
  AuditEntry: object(
    { id: text, event: text, at: time, session: text },
    {
      server: text,
      request: text,
      tool: text,
      asker: text,
      shown: object(
        { digest: text },
        { text: object({ message: text }, { url: text, questions: listOf({}), show: listOf(ref('Block')) }) },
      ),
      arguments: { ...text, description: 'A digest.' },
      question: text,
      by: object({ principal: text, device: text }),
      approvals: listOf(text),
      rule: { ...text, description: 'The rule that decided it, or that was added or removed.' },
      answer: { ...text, description: 'A digest.' },
      receipt: { ...text, description: 'A signed statement of it.' },
      person: { ...text, description: 'Whose passkey it is, or who is asked instead.' },
      reason: text,
      count,
      isRecovered: { const: true },
    },
  ),
  AuditFault: object({ kind: text, detail: text }, { log: text, place: count, manifest: count }),
  AuditReport: object({
    isWhole: { type: 'boolean' },
    faults: listOf(ref('AuditFault')),
    faultCount: count,
    logs: count,
    entries: count,
    unsignedEntries: count,
    manifests: count,
    texts: count,
    erasedTexts: count,
    publicKey: text,
  }),
  AuditPage: object(
    { entries: listOf(ref('AuditEntry')) },
    {
      nextCursor: cursor,
      searchedTo: { ...time, description: 'Later entries were not looked at: nextCursor goes on there.' },
    },
  ),
  DraftedEvent: object(
    { ...event, question: text, state: { enum: ['draft', 'submitted', 'skipped', 'cleared'] } },
    eventWords,
  ),
  EndedEvent: object({ ...event, ended: ref('Ended') }, eventWords),
  CommentedEvent: object({ ...event, text }, eventWords),
  ReportedEvent: object({ ...event, report: ref('Report') }, eventWords),
  ResetEvent: object({ reason: text }),
  Issue: object({ question: text, code: ref('Code'), message: text }, { params }),
  Code: { enum: Object.keys(refusals), description: 'Why, for programs: this stays, whatever the words beside it.' },
  Problem: object(
    { type: text, title: text, status: { type: 'integer' }, code: ref('Code'), detail: text },
    { params, issues: listOf(ref('Issue')), ended: ref('Ended') },
  ),
}
