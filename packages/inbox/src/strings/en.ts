import {
  englishFieldProblems,
  type FieldProblem,
  type InspectedUrl,
  type RefusedUrl,
  sentenceOf,
  type UrlWarning,
} from '@beckon/core'
import { englishRefusals } from '@beckon/core/live'
import type { SaidRefusal } from './said-refusal.js'

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

/** Every text of the inbox, in English. The other languages have the same shape. */
export const en = {
  inbox: 'Inbox',
  open: 'Open',
  history: 'History',
  search: 'Search',
  searchHistory: 'Search the history',
  clearSearch: 'Clear the search',
  listOfOpen: 'Open asks',
  showMore: (count: number) => `Show older ones (${count < 1_000 ? count : '1,000 or more'})`,
  listOfEnded: 'Asks that ended',
  nothingOpen: 'Nothing to answer',
  nothingOpenMore: 'When a tool needs you, its question appears here.',
  nothingEnded: 'No history yet',
  nothingEndedMore: 'Asks that were answered, withdrawn or ran out of time are kept here.',
  nothingFound: 'Nothing found',
  nothingFoundMore: 'No ask matches.',
  choose: 'Choose an ask to see it',
  unfound: 'The ask of this link is for other people, or no longer here.',
  chosenAsk: 'The ask that is chosen',
  tryIt: 'Try it',
  trying: 'Calling…',
  tryItMore: 'Calls an example tool, which asks you something.',
  toolGoesOn: 'The tool goes on with your answer…',
  toolSaid: 'What the tool made of it',
  toolFailed: 'The call failed',
  back: 'Back to the list',
  next: 'Next ask',
  asked: (when: string): string => `Asked ${when}`,
  left: (time: string): string => `${time} left`,
  timeIsUp: 'Time is up',
  arguments: 'Arguments',
  showAll: (size: string): string => `Show all of it (${size})`,
  showLess: 'Show less',
  newAsk: (server: string, message: string): string => `New ask from ${server}: ${message}`,
  quorum: (count: number): string => `${count} people have to accept this.`,
  required: 'required',
  yourAnswer: 'Your answer',
  optional: 'optional',
  yes: 'Yes',
  no: 'No',
  other: 'Other…',
  otherAnswer: 'Your own answer',
  anotherAnswer: 'Another answer of your own',
  suggested: 'suggested',
  clear: 'Clear',
  find: 'Find an option',
  noneChosen: 'Nothing chosen yet',
  noOption: 'No option matches.',
  range: (min: number | undefined, max: number | undefined): string =>
    min !== undefined && max !== undefined
      ? `From ${min} to ${max}`
      : min !== undefined
        ? `${min} or more`
        : `${max} or less`,
  choices: (min: number | undefined, max: number | undefined): string =>
    min !== undefined && max !== undefined
      ? min === max
        ? `Choose ${min}`
        : `Choose ${min} to ${max}`
      : min !== undefined
        ? `Choose at least ${min}`
        : `Choose at most ${max}`,
  length: (count: number, max: number): string => `${count} of ${max} characters`,
  yourTime: (zone: string): string => `In your time (${zone})`,
  typing: (who: string): string => `${who} is typing…`,
  you: 'you',
  byYou: 'you',
  youFirst: 'You',
  youElsewhere: 'You, on another device',
  /** Before a text in which those characters stand by their numbers. */
  unseen: 'A field does not show everything that is in this:',
  changedBy: (who: string): string => `${who} changed this.`,
  takeTheirs: 'Use that',
  destructive: 'This tool can delete or overwrite things.',
  accept: 'Accept',
  acceptWithPasskey: 'Accept with passkey',
  waitsForDevice: 'Confirm on your device…',
  notConfirmed: 'That was not confirmed, and nothing was sent. You can try again.',
  send: 'Send answer',
  decline: 'Decline',
  dismiss: 'Dismiss',
  dismissMore: 'Close it without an answer',
  addReason: 'Add a reason',
  reason: 'Reason for declining',
  reasonMore: 'Sent with “Decline”, for the tool to read',
  sending: 'Sending…',
  waitsForConnection: 'It will be sent when the connection is back.',
  fixFirst: (count: number): string =>
    count === 1 ? 'One answer is missing or needs a change.' : `${count} answers are missing or need a change.`,
  alwaysAllow: 'Always allow…',
  blocksUnknown: 'Something belongs to this question that cannot be shown here, so it cannot be accepted here.',
  argumentsFirst: 'Everything this tool was called with must be on the page before it can be accepted.',
  severalLines: 'Several lines',
  held: {
    accept: 'Accepted, and not sent yet.',
    decline: 'Declined, and not sent yet.',
    cancel: 'Dismissed, and not sent yet.',
  },
  sentIn: (seconds: number): string => `It is sent in ${seconds} s.`,
  heldElsewhere: (count: number): string =>
    count === 1 ? 'One answer is not sent yet.' : `${count} answers are not sent yet.`,
  undo: 'Undo',
  sendNow: 'Send now',
  undone: 'Taken back: nothing was sent.',
  filters: 'Filters',
  clearFilters: 'Clear',
  any: 'All',
  server: 'Server',
  tool: 'Tool',
  onlyDestructive: 'Destructive',
  onlyDue: 'Due within the hour',
  byDeadline: 'By deadline',
  marked: (count: number): string => `${count} marked.`,
  mark: 'Mark',
  markAll: 'Mark all',
  unmark: 'Unmark',
  acceptSeveral: (count: number): string => `Accept ${count}`,
  declineSeveral: (count: number): string => `Decline ${count}`,
  leftOut: {
    destructive: (count: number): string =>
      count === 1
        ? 'One can destroy something: accept it by itself.'
        : `${count} can destroy something: accept each by itself.`,
    passkey: (count: number): string => `${count} ${count === 1 ? 'takes' : 'take'} your passkey.`,
    toFill: (count: number): string => `${count} ${count === 1 ? 'needs' : 'need'} more than a yes.`,
  },
  account: 'You',
  onlyMine: 'For me',
  approval: (by: readonly string[], of: number): string =>
    by.length === 0
      ? `${of === 1 ? 'One has' : `${of} have`} to accept; nobody has yet.`
      : `${list(by)} accepted: ${by.length} of ${of}.`,
  missing: (names: readonly string[]): string => `Not yet: ${list(names)}.`,
  missingGroups: (groups: readonly string[]): string => `Anyone in ${list(groups)} can.`,
  standsIn: (who: string): string => `You stand in for ${who}, who is away.`,
  comments: 'Comments',
  comment: 'Comment',
  handOn: 'Hand on…',
  callDone: 'Result of the call',
  leadsTo: 'This leads to',
  openSite: (host: string): string => `Open ${host}`,
  openAnyway: (host: string): string => `Open ${host} anyway`,
  openMore: 'Opens in a new tab. Opening it counts as your consent.',
  notOpened: 'This link cannot be opened from here.',
  waitingToFinish: 'Waiting for it to finish in the other tab.',
  finished: 'It has finished.',
  byRule: (rule: string, who: string | undefined): string =>
    who === undefined ? `the rule ${rule}` : `${who}, with a rule made earlier`,
  outcome: {
    accept: (who: string): string => `Accepted by ${who}`,
    decline: (who: string): string => `Declined by ${who}`,
    cancel: (who: string): string => `Dismissed by ${who}`,
    withdrawn: 'Withdrawn: your answer is no longer needed',
    expired: 'Ran out of time',
  },
  already: (who: string): string => `Already answered by ${who}.`,
  alreadyOver: 'This was over before your answer arrived.',
  after: (time: string): string => `after ${time}`,
  answers: 'Answers',
  noAnswer: 'No answer',
  gone: 'This ask is no longer here.',
  loading: 'Loading…',
  connecting: 'Connecting…',
  offline: 'No connection. What you write is kept, and sent when it is back.',
  signedOut: 'You are signed out.',
  kept: 'What you wrote is kept.',
  signIn: 'Sign in',
  retry: 'Try now',
  reload: 'Reload',
  notify: 'Notify me of new asks',
  notifyOn: 'Notifications are on',
  shortcuts: 'Keyboard',
  close: 'Close',
  keys: {
    next: 'Next and previous ask',
    open: 'Go to the ask',
    search: 'Search',
    send: 'Accept or send',
    back: 'Back to the list',
    mark: 'Mark, to answer several at once',
    filter: 'Filters',
    undo: 'Take back what is not sent yet',
    help: 'Show this',
  },
  timeToAnswer: 'Time to answer',
  median: (time: string): string => `Half are answered within ${time}`,
  plot: (count: number, median: string): string =>
    `Time to answer the last ${count} asks: half were answered within ${median}.`,
  /** Why a link cannot be opened. */
  urlRefused: ({ message }: RefusedUrl): string => message,
  /** What to beware of in a link. */
  urlWarning: ({ message }: UrlWarning, _link: InspectedUrl): string => message,
  /** What is wrong with an answer. */
  problem: (problem: FieldProblem): string => sentenceOf(englishFieldProblems, problem),
  /** Why the desk refused something; what is new is said as the desk says it. */
  refused: ({ code = '', params, reason }: SaidRefusal): string =>
    sentenceOf(englishRefusals, { code, params }) ?? reason,
}

/** The shape of every language. */
export type Strings = typeof en
