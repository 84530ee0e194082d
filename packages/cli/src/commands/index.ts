// Every command: a file in this folder, and a line here.
import type { Listed } from './command.js'

export const commands: Readonly<Record<string, Listed>> = {
  demo: { summary: 'an inbox and an example server whose tools ask in every way', load: () => import('./demo.js') },
  call: { summary: 'call a tool, and answer what it asks in the terminal', load: () => import('./call.js') },
  gateway: { summary: 'make running applications tools', load: () => import('./gateway.js') },
  inbox: { summary: 'run a desk, with its inbox', load: () => import('./inbox.js') },
  serve: { summary: 'serve a desk for a team, by a configuration', load: () => import('./serve.js') },
  config: { summary: 'say what is wrong with a configuration', load: () => import('./config.js') },
  admin: { summary: 'look after the people, tokens and asks of a desk', load: () => import('./admin.js') },
  proxy: { summary: 'give a client without elicitation the inbox', load: () => import('./proxy.js') },
  doctor: { summary: 'say what a server or client can do, and what it breaks', load: () => import('./doctor.js') },
  receipt: { summary: 'check a signed statement of who answered what', load: () => import('./receipt.js') },
}
