import { type Form, formOf, inspectUrl } from '@beckon/core'
import { checkBlocks } from '@beckon/core/blocks'
import { isRecord } from '@beckon/core/json-rpc'
import { isConnectOrigin, isWidgetName, type WidgetJson, widgetDataProblem, widgetLimits } from '@beckon/core/widgets'
import type { AskDesk, AskSubject, DeskAudience, DeskPolicy, DeskRequest, DeskWidget } from 'beckon/desk/adapter'
import { unknownName } from '../options/unknown-name.js'
import { schemas } from '../rest/openapi/schemas.js'
import { propertiesOf } from '../rest/openapi/shapes.js'

/** An ask that a program elsewhere wants opened. */
export interface Wanted {
  readonly subject: Omit<AskSubject, 'server'>
  readonly request: DeskRequest
  readonly options: Parameters<AskDesk['open']>[2]
}

/** What an ask may say, as the description of the API has it, and `widget`, which servers of ours send. */
const askMembers = [...propertiesOf(schemas.NewAsk), 'widget']

type Fields = Readonly<Record<string, unknown>>

const dayMs = 24 * 60 * 60 * 1000
const maxIdChars = 100
/** Of a title, a tool, who asks, and whom for. */
const maxTextChars = 500
/** Each is a name in the index, and somebody to look for. */
const maxAudienceNames = 200
const maxReminders = 20
const maxHandleChars = 4_096
/** Nobody waits longer for a person. */
const maxWaitMs = 366 * dayMs

/**
 * Reads what a program sent, or says what is wrong with it.
 * @throws InvalidFormError for a form that cannot be shown
 */
export function readWanted(body: unknown, now: number): Wanted | string {
  if (!isRecord(body)) return 'An ask is an object with an id and a message.'
  const wrong =
    unknownName(body, askMembers) ??
    wrongTexts(body) ??
    wrongNumbers(body, now) ??
    wrongPolicy(body) ??
    wrongFlags(body)
  if (wrong !== undefined) return wrong
  const {
    id,
    message,
    call,
    url,
    schema,
    arguments: input,
    title,
    tool,
    destructive,
    readOnly,
    approves,
    asker,
    principal,
  } = body as Texts
  if (schema !== undefined && (url !== undefined || !isRecord(schema)))
    return 'An ask has a schema, which is a JSON Schema, or a url, or neither.'
  if (url !== undefined && inspectUrl(url, { allowHttp: true }).kind === 'refused') return 'The url is refused.'
  const shown = checkBlocks(body.show ?? [])
  if ('problem' in shown) return shown.problem
  const widget = widgetFrom(body.widget)
  if (typeof widget === 'string') return widget
  const { expiresAt = now + Number(body.timeoutMs ?? dayMs) } = body as { expiresAt?: number }
  return {
    subject: { call, title, tool, input, destructive, readOnly, asker, principal },
    request: {
      id: id ?? '',
      message: message ?? '',
      url,
      approves,
      ...(shown.blocks.length > 0 && { show: shown.blocks }),
      ...(isRecord(schema) && { form: checkedForm(schema), ...(widget !== undefined && { widget }) }),
    },
    options: { expiresAt: Math.round(expiresAt), policy: policyIn(body) },
  }
}

interface Texts
  extends Readonly<
    Partial<Record<'id' | 'message' | 'call' | 'url' | 'title' | 'tool' | 'asker' | 'principal', string>>
  > {
  readonly schema?: unknown
  readonly arguments?: unknown
  readonly destructive?: boolean
  readonly readOnly?: boolean
  readonly approves?: boolean
}

const audienceMembers = ['principals', 'groups']
const escalationMembers = ['afterMs', 'audience']
const flags = 'destructive, readOnly, approves, outlastsDecline, requesterCounts and receipt are true or false.'

function wrongFlags({ destructive, readOnly, approves }: Fields): string | undefined {
  return isFlag(destructive) && isFlag(readOnly) && isFlag(approves) ? undefined : flags
}

function wrongTexts(body: Fields): string | undefined {
  for (const name of ['id', 'message'])
    if (typeof body[name] !== 'string' || body[name].trim() === '')
      return `An ask has a ${name}, which is a string and not blank.`
  if (String(body.id).length > maxIdChars) return `An id has at most ${maxIdChars} characters.`
  for (const name of ['call', 'url', 'title', 'tool', 'asker', 'principal'])
    if (body[name] !== undefined && typeof body[name] !== 'string') return `${name} is a string.`
  for (const name of ['title', 'tool', 'asker', 'principal'])
    if (String(body[name] ?? '').length > maxTextChars) return `${name} has at most ${maxTextChars} characters.`
  const { call = 'c' } = body
  return call === '' || String(call).length > maxIdChars ? `A call has 1 to ${maxIdChars} characters.` : undefined
}

function wrongNumbers(body: Fields, now: number): string | undefined {
  for (const name of ['expiresAt', 'timeoutMs'])
    if (body[name] !== undefined && !(Number(body[name]) > 0 && Number.isFinite(body[name])))
      return `${name} is a number of milliseconds.`
  if (Number(body.timeoutMs ?? 0) > maxWaitMs || Number(body.expiresAt ?? 0) > now + maxWaitMs)
    return 'An ask is open for a year at most.'
  const { quorum } = body
  return quorum === undefined || (Number.isInteger(quorum) && Number(quorum) > 0 && Number(quorum) <= maxAudienceNames)
    ? undefined
    : `quorum is how many have to accept, and at most ${maxAudienceNames}.`
}

function wrongPolicy(body: Fields): string | undefined {
  const { audience, escalation, remindAfterMs, outlastsDecline, requesterCounts, person, receipt } = body
  if (!isFlag(outlastsDecline) || !isFlag(requesterCounts) || !isFlag(receipt)) return flags
  if (person !== undefined && person !== 'present' && person !== 'verified')
    return 'person is "present" or "verified", or not there.'
  if (isRecord(audience) && unknownName(audience, audienceMembers) !== undefined)
    return `In audience ${unknownName(audience, audienceMembers)}`
  if (isRecord(escalation) && unknownName(escalation, escalationMembers) !== undefined)
    return `In escalation ${unknownName(escalation, escalationMembers)}`
  if (audience !== undefined && !isAudience(audience))
    return `audience has principals or groups, which are lists, and names somebody; ${maxAudienceNames} in all at most.`
  if (isOutOfReach(body))
    return 'quorum is of more people than could accept: who called is none of them, unless requesterCounts is true.'
  if (
    escalation !== undefined &&
    !(isRecord(escalation) && isTime(escalation.afterMs) && isAudience(escalation.audience))
  )
    return 'escalation has afterMs and an audience.'
  const areTimes =
    remindAfterMs === undefined ||
    (Array.isArray(remindAfterMs) && remindAfterMs.length <= maxReminders && remindAfterMs.every(isTime))
  return areTimes ? undefined : `remindAfterMs is a list of milliseconds, ${maxReminders} at most.`
}

/** As it was checked. */
function policyIn({
  audience,
  quorum,
  outlastsDecline,
  requesterCounts,
  remindAfterMs,
  escalation,
  person,
  receipt,
}: Fields): DeskPolicy {
  return {
    audience,
    quorum,
    outlastsDecline,
    requesterCounts,
    remindAfterMs,
    escalation,
    person,
    receipt,
  } as DeskPolicy
}

/** The page that shows a form, or what is wrong with it. */
function widgetFrom(given: unknown): DeskWidget | string | undefined {
  if (given === undefined) return undefined
  if (!isRecord(given) || !isWidgetName(given.name) || typeof given.html !== 'string')
    return 'A widget has a name, of small letters, digits and dashes, and its page as html.'
  const { name, html, json, connect, find } = given
  if (connect !== undefined && !isConnectOrigin(connect))
    return 'connect of a widget is the one origin that its page sends something to, such as https://shop.example.'
  if (Buffer.byteLength(html) > widgetLimits.pageBytes)
    return `The page of a widget has at most ${widgetLimits.pageBytes} bytes.`
  if (find !== undefined && (typeof find !== 'string' || find.length > maxHandleChars))
    return `find of a widget is a string of at most ${maxHandleChars} characters.`
  const problem = widgetDataProblem(given.data)
  if (problem !== undefined) return problem
  // It was found to be JSON.
  const data = given.data as WidgetJson | undefined
  return {
    name,
    html,
    ...(data !== undefined && { data }),
    ...(json === true && { json }),
    ...(connect !== undefined && { connect }),
    ...(find !== undefined && { find }),
  }
}

/** What a server may ask, and no more: it is checked as an author's would be, and nothing that looks like a secret is allowed. */
function checkedForm(schema: Fields): Form {
  return formOf(schema as { type: 'object' })
}

/** A page is for one person, and named people are so many, of whom the caller is none. */
function isOutOfReach({ quorum = 1, audience, url, principal, requesterCounts }: Fields): boolean {
  if (url !== undefined) return Number(quorum) > 1
  const { principals = [], groups = [] } = (audience ?? { groups: ['anyone'] }) as DeskAudience
  const others = principals.filter(name => name !== principal || requesterCounts)
  return groups.length === 0 && new Set(others).size < Number(quorum)
}

function isAudience(value: unknown): value is DeskAudience {
  if (!isRecord(value) || unknownName(value, audienceMembers) !== undefined) return false
  const named = [value.principals, value.groups].flatMap(list => (Array.isArray(list) ? list : []))
  if (named.length === 0 || named.length > maxAudienceNames) return false
  return [value.principals, value.groups].every(
    list => list === undefined || (Array.isArray(list) && list.every(each => typeof each === 'string')),
  )
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maxWaitMs
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}
