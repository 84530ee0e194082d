export type { ClientCapabilities, ReplayMode } from '../call/incoming.js'
export type { Clock } from '../runtime/clock.js'
export type { AnswerSource } from './answerer.js'
export type { Asked, TestAsk, TestReply } from './ask.js'
export type { PageValues, VisitedPage } from './browser.js'
export type { Transmitted } from './connection.js'
export { createTestClient } from './create-test-client.js'
export {
  type AskedPattern,
  type BeckonMatchers,
  type MatcherContext,
  type MatcherResult,
  matchers,
} from './matchers.js'
export type { TestClientOptions, TestWire } from './options.js'
export type { TestAnswer } from './reply-to.js'
export type {
  ListedTool,
  PromptResult,
  ResourceResult,
  ResultBlock,
  TestCallSettings,
  TestClient,
  ToolCallResult,
  ToolCallSettings,
} from './test-client.js'
export { createTestClock, type TestClock } from './test-clock.js'
export { createTestDesk, type TestDesk, type TestDeskAsk, type TestPerson } from './test-desk.js'
export { createTestProcess, type TestProcess, type TestProcessOptions } from './test-process.js'
