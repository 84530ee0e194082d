import { isSameText } from '#platform'
import type { OpenFlow, Route } from '../../flows/index.js'
import { explain } from './explain.js'
import type { Provider, Secrets } from './provider.js'
import type { TokenStore } from './tokens.js'

/** How long a page waits for what another one began. */
const patienceMs = 20_000

/** What a flow remembers until its callback. */
export interface SignIn extends Secrets {
  readonly scopes: readonly string[]
}

/** Takes the person who comes back from the authorization server. The state names the flow, and proves that it is its own. */
export async function answerCallback(
  request: Request,
  route: Route<SignIn, null>,
  { provider, tokens }: { provider: Provider; tokens: TokenStore },
): Promise<Response | undefined> {
  if (route.rest !== 'callback' || request.method !== 'GET') return undefined
  const { pages } = route
  const { searchParams } = new URL(request.url)
  const states = searchParams.getAll('state')
  const [state = ''] = states
  if (states.length !== 1) return pages.unknown()
  const opened = await route.open(state.split('.')[0] ?? '')
  if (opened.kind === 'refused') return opened.response
  const { flow } = opened
  const signIn = flow.data
  if (!isSameText(state, signIn.state)) return pages.unknown()
  if (opened.kind === 'over') return flow.status === 'done' ? pages.done() : opened.response
  if (!(await flow.once('callback'))) return answerAgain(flow, route)
  try {
    const grant = await provider.exchange(searchParams, signIn, `${route.url}/callback`)
    const save = () => tokens.save(flow.people, flow.sessionId, grant, signIn.scopes, flow.now())
    return (await flow.complete(null, save)) ? pages.done() : pages.expired()
  } catch (error) {
    return failed(flow, route, explain(error, provider.host))
  }
}

/** For a callback that came before, by a reload or in a second tab: it is exchanged once, and all of them see how that ends. */
async function answerAgain(flow: OpenFlow, route: Route): Promise<Response> {
  await flow.ended(patienceMs)
  const now = await route.open(flow.id)
  if (now.kind === 'open')
    return route.pages.wait(
      'Your sign-in is being finished',
      'You can close this page. If nothing happens, start again.',
    )
  return now.kind === 'over' && now.flow.status === 'done' ? route.pages.done() : now.response
}

async function failed(flow: OpenFlow, { pages }: Route, reason: string): Promise<Response> {
  await flow.fail(reason)
  return pages.failed(`${reason} Nothing was granted. Try again where you were asked.`)
}
