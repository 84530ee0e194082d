// A real desk, its inbox as it is built, and real browsers of several people. Whoever someone's cookie says they are,
// they are: who comes in is tested with the desk.
import type { Question } from '@beckon/core'
import {
  type Access,
  type AccessRequest,
  type AskOptions,
  createDesk,
  type Desk,
  type DeskOptions,
  type Listening,
  type Turn,
} from '@beckon/desk'
import { type BeckonServer, createServer, memoryStore, type ServerOptions } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import type { Browser, BrowserContextOptions, Locator, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { ensurePage } from '../../../scripts/page.mjs'
import { launchChromium, noBrowser, noFullBrowser } from '../../../test/chromium.js'

export { createTestClient } from 'beckon/test'
export { defineWidget, type Widget } from 'beckon/widgets'

/** Nothing here depends on how fast a machine is: this only ends what hangs. */
export const patienceMs = 60_000

/** Looks again until it is so. */
export const eventually: typeof expect.poll = look => expect.poll(look, { timeout: patienceMs })

/** Whether there is a browser to test with. */
export const hasBrowser: boolean = noBrowser === undefined
/** And one that has notifications. */
export const hasFullBrowser: boolean = noFullBrowser === undefined
if (!hasBrowser) console.log('- inbox in a browser: skipped, since there is no Chromium')

/** Each visit is a sign-in of its own: `as=<principal>.<visit>`. */
function asCookieSays(): Access {
  const ended = new Set<string>()
  const signIn = ({ header }: Pick<AccessRequest, 'header'>) => /\bas=(\w+)\.\d+/.exec(header('cookie') ?? '')
  return {
    loopbackOnly: true,
    async authenticate(request) {
      const [cookie = '', principal] = signIn(request) ?? []
      if (principal === undefined || ended.has(cookie)) return undefined
      return { principal, device: 'browser', stillValid: async () => !ended.has(cookie) }
    },
    async handle(request) {
      if (request.method !== 'POST' || request.path !== '/sign-out') return undefined
      ended.add(signIn(request)?.[0] ?? '')
      return { status: 204, headers: [], body: '' }
    },
  }
}

/** Someone at the inbox. */
export interface Person {
  readonly page: Page
  /** What the browser complained about: errors, and breaches of the page's policy. */
  readonly complaints: string[]
  /** The ask with these words, opened. */
  open(words: string): Promise<Locator>
  /** A question of the ask that is open, by its title. */
  question(title: string): Locator
  /** Resolves when a question has shown these words, however shortly. */
  sees(title: string, words: string): Promise<void>
  press(button: string): Promise<void>
  outcome(): Locator
  /** From now on nothing that the desk says gets to someone on a slow line, until the result is called. */
  delay(): () => void
}

export interface VisitOptions extends BrowserContextOptions {
  readonly path?: string
  /** What the desk says can be held up. */
  readonly isOnSlowLine?: boolean
  /** For how long an answer can be taken back. Default here: it is sent at once. */
  readonly undoMs?: number
}

export class Rig {
  browser: Browser | undefined
  desk: Desk | undefined
  url = ''
  #store: Store | undefined
  #turns = new Map<string, Promise<Turn>>()
  #people: Person[] = []
  #visits = 0

  /**
   * Around the tests of a suite: one browser for all (a full one, where they need more than pages), a desk for each, and
   * nothing that a browser complained about.
   */
  attend({ startsDesk = true, isFull = false } = {}): void {
    beforeAll(() => this.launch({ isFull }), 4 * patienceMs)
    if (startsDesk) beforeEach(async () => void (await this.start()))
    afterEach(async () => {
      expect(await this.clear()).toEqual([])
    }, patienceMs)
    afterAll(() => this.close(), patienceMs)
  }

  async launch({ isFull = false } = {}): Promise<void> {
    if (!(await ensurePage())) throw new Error('The page could not be built.')
    this.browser = await launchChromium({ isFull })
  }

  /** A desk on a port of its own, or on the one that it had. */
  async start(options: DeskOptions = {}): Promise<Listening> {
    this.#store ??= memoryStore()
    this.desk = createDesk({ access: asCookieSays(), store: keptOpen(this.#store), ...options })
    const port = this.url === '' ? 0 : Number(new URL(this.url).port)
    const at = await this.desk.listen({ port })
    this.url = at.url
    return at
  }

  /** A desk whose time goes on when it is told to. */
  async startWithClock(options: DeskOptions = {}): Promise<TestClock> {
    const clock = createTestClock(Date.now())
    await this.start({ ...options, clock })
    return clock
  }

  /** A server whose asks come to the desk, and whose calls wait for as long as it takes. */
  newServer(name: string, more: Pick<ServerOptions, 'identify' | 'widgets'> = {}): BeckonServer {
    return createServer({ name, version: '1.0.0', desk: this.desk, wait: 'hold', ...more })
  }

  /** The desk goes away, and what it kept stays. */
  async stop(): Promise<void> {
    this.#turns.clear()
    await this.desk?.close()
    this.desk = undefined
  }

  /** Puts an ask, in a session of its server. */
  async ask(
    request: { id?: string; message: string; url?: string; questions?: Question[]; _meta?: object },
    { server = 'shop', ...options }: AskOptions & { server?: string } = {},
  ): Promise<ReturnType<Turn['ask']>> {
    const turn = await this.turn(server)
    return turn.ask(request, options)
  }

  /** The turn that a server asks in. */
  turn(server = 'shop'): Promise<Turn> {
    const turn = this.#turns.get(server) ?? this.#begin(server)
    this.#turns.set(server, turn)
    return turn
  }

  async visit(as: string, options: VisitOptions = {}): Promise<Person> {
    const { path = '/', isOnSlowLine = false, undoMs = 0, ...rest } = options
    const context = await this.browser?.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      serviceWorkers: 'block',
      ...rest,
    })
    if (context === undefined) throw new Error('There is no browser.')
    context.setDefaultTimeout(patienceMs)
    await context.addCookies([{ name: 'as', value: `${as}.${this.#visits++}`, url: this.url }])
    await context.addInitScript(undoMs => {
      document.addEventListener('DOMContentLoaded', () => {
        document.querySelector('beckon-inbox')?.setAttribute('undo-ms', String(undoMs))
      })
    }, undoMs)
    const page = await context.newPage()
    const line = new SlowLine()
    if (isOnSlowLine) await page.routeWebSocket(/\/live$/, socket => line.carry(socket))
    const person = personAt(page, line)
    this.#people.push(person)
    await page.goto(new URL(path, this.url).href)
    await page.locator('beckon-inbox .body > *').first().waitFor({ state: 'attached' })
    return person
  }

  /** Everyone goes, and says what their browsers complained about. */
  async leave(): Promise<string[]> {
    const people = this.#people.splice(0)
    for (const { page } of people) await page.context().close()
    return people.flatMap(person => person.complaints)
  }

  /** After a test: everyone goes, and the desk forgets everything. */
  async clear(): Promise<string[]> {
    const complaints = await this.leave()
    await this.stop()
    await this.#store?.close()
    this.#store = undefined
    this.url = ''
    return complaints
  }

  async close(): Promise<void> {
    await this.browser?.close()
  }

  async #begin(server: string): Promise<Turn> {
    // A session's name is part of an address; who asks may be called anything.
    const name = server.replaceAll(/[^\w-]/g, char => `~${char.charCodeAt(0)}`).slice(0, 200)
    const session = await this.desk?.session(name, { title: server, server })
    const turn = session?.activeTurn() ?? (await session?.startTurn())
    if (turn === undefined) throw new Error('The desk is not started.')
    return turn
  }
}

function personAt(page: Page, line: SlowLine): Person {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    // That a desk is away, or lets nobody in, is what some tests are about.
    const isAway = /WebSocket connection|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|status of 401/
    // A page asks there why it was not let in, and there is no page for someone who is let in by then.
    const isLetIn = /\/live$/.test(message.location().url) && /status of 426/.test(message.text())
    const isExpected = isLetIn || isAway.test(message.text())
    if (message.type() === 'error' && !isExpected) complaints.push(message.text())
  })
  return {
    page,
    complaints,
    async open(words) {
      await page.locator('beckon-ask-list .row', { hasText: words }).first().click()
      const ask = page.locator('beckon-request')
      await ask.locator('.message', { hasText: words }).waitFor()
      return ask
    },
    async sees(title, words) {
      const question = page.locator('beckon-question', { has: page.locator('.title', { hasText: title }) })
      await question.evaluate(
        ({ shadowRoot }, words) =>
          new Promise<void>(resolve => {
            const look = () => shadowRoot?.textContent?.includes(words) && resolve()
            if (shadowRoot)
              new MutationObserver(look).observe(shadowRoot, { subtree: true, childList: true, characterData: true })
            look()
          }),
        words,
      )
    },
    question: title => page.locator('beckon-question', { has: page.locator('.title', { hasText: title }) }),
    async press(name) {
      const button = page.locator('beckon-request').getByRole('button', { name, exact: true })
      if (!(await page.locator('beckon-request article.holds').isVisible())) return button.click()
      // Beside a widget no click counts while the buttons move, and a page that draws itself again moves them any time. A key counts.
      await button.click({ trial: true })
      await button.press('Enter')
    },
    outcome: () => page.locator('beckon-request .outcome'),
    delay: () => line.delay(),
  }
}

/** What goes to a desk goes at once; what comes from it may have to wait. */
class SlowLine {
  #held: (() => void)[] | undefined

  carry(socket: WebSocketRoute): void {
    const desk = socket.connectToServer()
    desk.onMessage(message => {
      if (this.#held === undefined) socket.send(message)
      else this.#held.push(() => socket.send(message))
    })
  }

  delay(): () => void {
    this.#held ??= []
    return () => {
      const held = this.#held ?? []
      this.#held = undefined
      for (const send of held) send()
    }
  }
}

/** A store that outlives the desk that closes it. */
function keptOpen(store: Store): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      return name === 'close' ? async () => {} : Reflect.get(target, name, receiver)
    },
  })
}
