import { maxSearchChars } from '../limits.js'
import type { Operations } from './operations.js'
import { body, parameter, refusals, reply } from './parts.js'
import { ref } from './shapes.js'

const inSession = parameter('path', 'session', 'The session of the ask.')
const id = parameter('path', 'id', 'The id of the ask.')
const ask = [inSession, id]
const limit = parameter('query', 'limit', 'How many at most. More than the desk gives at once is lowered.', {
  type: 'integer',
  minimum: 1,
})
const cursor = parameter('query', 'cursor', 'nextCursor of the page before.')
const session = parameter('query', 'session', 'Only of this session.')
const server = parameter('query', 'server', 'Only of this server.')
const completed = {
  200: reply('It has ended.', 'EndedAsk'),
  202: reply('It is remembered, and more people have to answer.', 'Recorded'),
  ...refusals(400, 404, 409, 413, 415, 422),
}

/** What people and their programs can request. */
export const askOperations: Operations<
  | 'listAsks'
  | 'readAsk'
  | 'commentAsk'
  | 'delegateAsk'
  | 'answerAsk'
  | 'declineAsk'
  | 'cancelAsk'
  | 'draftAnswer'
  | 'listSessions'
  | 'readAudit'
  | 'verifyAudit'
  | 'watchEvents'
  | 'readOpenapi'
> = {
  listAsks: {
    method: 'GET',
    path: '/api/asks',
    summary: 'The open asks that you may answer, newest first, or those first that end first',
    description:
      'A page looks at 2,000 asks and no more. When those did not fill it, searchedTo says how far back it looked, and nextCursor goes on from there: the page may be empty, and there may be more. With order=due, only those of the 2,000 newest are in order.',
    parameters: [
      session,
      server,
      parameter('query', 'tool', 'Only of this tool.'),
      parameter('query', 'search', 'Only with this text in the message, the server, the tool or its arguments.', {
        type: 'string',
        maxLength: maxSearchChars,
      }),
      parameter('query', 'mine', 'Only those that are for you by name.', { type: 'boolean' }),
      parameter('query', 'destructive', 'Only of tools that can destroy something, or only of others.', {
        type: 'boolean',
      }),
      parameter('query', 'order', 'Those that end first come first.', { const: 'due' }),
      limit,
      cursor,
    ],
    responses: { 200: reply('A page of asks.', 'AskPage'), ...refusals(400) },
  },
  readAsk: {
    method: 'GET',
    path: '/api/asks/{session}/{id}',
    summary: 'An ask: open with its drafts, or how it ended',
    parameters: ask,
    responses: { 200: reply('The ask.', 'Ask'), ...refusals(404) },
  },
  commentAsk: {
    method: 'POST',
    path: '/api/asks/{session}/{id}/comments',
    summary: 'Writes a comment that everyone sees who sees the ask',
    parameters: ask,
    requestBody: body('CommentBody', true),
    responses: { 201: reply('The ask, with the comment.', 'Ask'), ...refusals(400, 403, 404, 413, 415, 422, 429) },
  },
  delegateAsk: {
    method: 'POST',
    path: '/api/asks/{session}/{id}/delegate',
    summary: 'Hands an ask to someone else: they are asked instead of you',
    parameters: ask,
    requestBody: body('DelegateBody', true),
    responses: { 200: reply('It is theirs.', 'Nothing'), ...refusals(400, 403, 404, 409, 413, 415) },
  },
  answerAsk: {
    method: 'POST',
    path: '/api/asks/{session}/{id}/answer',
    summary: 'Accepts an ask, with the answers to its questions',
    parameters: ask,
    requestBody: body('AnswerBody', false),
    responses: completed,
  },
  declineAsk: {
    method: 'POST',
    path: '/api/asks/{session}/{id}/decline',
    summary: 'Says no',
    parameters: ask,
    requestBody: body('DeclineBody', false),
    responses: completed,
  },
  cancelAsk: {
    method: 'POST',
    path: '/api/asks/{session}/{id}/cancel',
    summary: 'Dismisses an ask, without yes or no',
    parameters: ask,
    requestBody: body('CancelBody', false),
    responses: completed,
  },
  draftAnswer: {
    method: 'PUT',
    path: '/api/asks/{session}/{id}/drafts/{questionId}',
    summary: "Changes one question's answer, for everyone who looks at it",
    parameters: [...ask, parameter('path', 'questionId', 'The id of the question.')],
    requestBody: body('DraftBody', true),
    responses: { 200: reply('The answer as it is now.', 'DraftNow'), ...refusals(400, 404, 409, 413, 415, 422) },
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'The sessions that somebody made, and the calls that ask you something, newest first',
    parameters: [server, limit, cursor],
    responses: { 200: reply('A page of sessions.', 'SessionPage'), ...refusals(400) },
  },
  readAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'Who did what, and when, in the order of writing; never what they answered',
    parameters: [
      session,
      parameter('query', 'request', 'Only of this ask.'),
      parameter('query', 'principal', 'Only what this person did.'),
      parameter('query', 'since', 'Only from this time on, in milliseconds.', { type: 'integer', minimum: 0 }),
      limit,
      cursor,
    ],
    responses: {
      200: {
        description: 'A page of entries; with Accept: application/x-ndjson all of them, one a line.',
        content: {
          'application/json': { schema: ref('AuditPage') },
          'application/x-ndjson': { schema: ref('AuditEntry') },
        },
      },
      ...refusals(400),
    },
  },
  verifyAudit: {
    method: 'GET',
    path: '/api/audit/verify',
    summary: 'Whether the audit is what was written, for auditors',
    parameters: [
      parameter('query', 'since', 'Only logs from this time on, in milliseconds.', { type: 'integer', minimum: 0 }),
      parameter('query', 'publicKey', 'What manifests must be signed with: Ed25519, SPKI in base64.'),
    ],
    responses: { 200: reply('What was checked, and what is wrong.', 'AuditReport'), ...refusals(400, 403) },
  },
  watchEvents: {
    method: 'GET',
    path: '/api/events',
    summary: 'What happens to the asks that you may answer, as server-sent events',
    description:
      'Events: asked (OpenAsk), drafted (DraftedEvent, without the value), commented (CommentedEvent), answered, withdrawn and expired (EndedEvent), reported (ReportedEvent), and reset (ResetEvent): list the open asks again. Come back within a minute with Last-Event-ID, to the same node, and you are told what you missed; anywhere else, or later, you get reset.',
    parameters: [session, parameter('header', 'Last-Event-ID', 'The id of the last event that you got.')],
    responses: {
      200: {
        description: 'Events, for as long as you stay.',
        content: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description: 'The data of each event is JSON.',
              contentMediaType: 'text/event-stream',
            },
          },
        },
      },
      ...refusals(),
    },
  },
  readOpenapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    responses: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
      ...refusals(),
    },
  },
}

/** What a server can request, by its token, and nobody else. */
export const serverOperations: Operations<'openAsk' | 'withdrawAsk' | 'awaitOutcome' | 'reportCall' | 'answerSearch'> =
  {
    openAsk: {
      method: 'POST',
      path: '/api/asks',
      summary: 'Opens an ask, unless it is there',
      description: 'For servers, by their token. Comes back once the ask is stored.',
      requestBody: body('NewAsk', true),
      responses: { 201: reply('It is open.', 'OpenedAsk'), ...refusals(400, 409, 413, 415) },
    },
    withdrawAsk: {
      method: 'DELETE',
      path: '/api/asks/{session}/{id}',
      summary: 'Withdraws an ask',
      description: 'For the server that opened it.',
      parameters: ask,
      responses: { 200: reply('It is not open any more.', 'Nothing'), ...refusals(404) },
    },
    awaitOutcome: {
      method: 'GET',
      path: '/api/asks/{session}/{id}/outcome',
      summary: 'Waits for the end of an ask',
      description: 'For the server that opened it.',
      parameters: [
        ...ask,
        parameter('query', 'waitMs', 'How long to wait, at most 25 seconds, which is the default.', {
          type: 'integer',
        }),
        parameter('query', 'searches', 'Present: come back as well when someone types in the page of its widget.', {
          type: 'string',
        }),
      ],
      responses: {
        200: reply('It has ended.', 'Outcome'),
        202: reply('It is still open: ask again.', 'StillOpen'),
        ...refusals(400, 404),
      },
    },
    reportCall: {
      method: 'PUT',
      path: '/api/asks/{session}/{id}/report',
      summary: 'Says what came of the call, for everyone who sees one of its asks; the first word counts',
      description: 'For the server that opened it.',
      parameters: ask,
      requestBody: body('ReportBody', true),
      responses: { 200: reply('It is known.', 'Nothing'), ...refusals(400, 404, 413, 415) },
    },
    answerSearch: {
      method: 'PUT',
      path: '/api/asks/{session}/{id}/searches/{search}',
      summary: 'Says what was found for words that someone typed',
      description: 'For the server that opened the ask, within 5 seconds. Without options, nobody could look.',
      parameters: [...ask, parameter('path', 'search', 'As awaitOutcome says it.', { type: 'string' })],
      requestBody: body('FoundBody', true),
      responses: { 200: reply('It is shown.', 'Nothing'), ...refusals(400, 404, 413, 415) },
    },
  }
