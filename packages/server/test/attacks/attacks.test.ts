import { runAttacks } from '../../../../test/attack-table.js'
import { asking } from './asks.js'
import { authorizationServer } from './authorization-server.js'
import { deskCalls } from './desk.js'
import { limits } from './limits.js'
import { links } from './links.js'
import { methods } from './methods.js'
import { neighbours } from './neighbours.js'
import { passkeyAttacks } from './passkeys.js'
import { payments } from './payments.js'
import { phantoms } from './phantoms.js'
import { browsers, requests } from './requests.js'
import { pageSignIn, resourceServer } from './resource-server.js'
import { sessions } from './sessions.js'
import { signIn } from './sign-in.js'
import { states } from './states.js'
import { storeReaders } from './store-readers.js'
import { tasks } from './tasks.js'
import { tokens } from './tokens.js'
import { traceReaders } from './trace-readers.js'
import { words } from './words.js'

runAttacks('packages/server/test/attacks', [
  states,
  asking,
  sessions,
  tasks,
  deskCalls,
  phantoms,
  passkeyAttacks,
  requests,
  methods,
  limits,
  tokens,
  resourceServer,
  pageSignIn,
  browsers,
  words,
  links,
  signIn,
  authorizationServer,
  payments,
  neighbours,
  storeReaders,
  traceReaders,
])
