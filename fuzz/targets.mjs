// What is attacked, by name.
import { gateway } from './targets/gateway.mjs'
import { http } from './targets/http.mjs'
import { live } from './targets/live.mjs'
import { pages } from './targets/pages.mjs'
import { records } from './targets/records.mjs'
import { rest } from './targets/rest.mjs'
import { ruleFiles } from './targets/rules.mjs'
import { sessions } from './targets/sessions.mjs'
import { signingIn } from './targets/signing-in.mjs'
import { states } from './targets/states.mjs'
import { stdio } from './targets/stdio.mjs'
import { widgets } from './targets/widgets.mjs'

/** @type {Readonly<Record<string, import('./driver.mjs').Target>>} */
export const targets = {
  http,
  sessions,
  stdio,
  live,
  rest,
  pages,
  'signing-in': signingIn,
  gateway,
  widgets,
  rules: ruleFiles,
  records,
  states,
}
