// One channel: takes what is due from its queue, and tells or untells people, several at the same time. What fails is tried
// again, later and later, for a day, or as long as the ask is open. Other channels have lanes of their own, and wait for none.
import type { Clock } from 'beckon'
import { type SetMember, type Store, StoreUnavailableError } from 'beckon/store'
import type { OrderedSet } from 'beckon/store/handles'
import type { Sessions } from '../sessions/sessions.js'
import { LeasedLoop } from '../webhooks/leased-loop.js'
import { Semaphore } from '../webhooks/semaphore.js'
import type { Notice, NotifyChannel } from './channel.js'
import type { Deliveries, Delivery } from './deliveries.js'
import { askOf } from './dispatcher.js'
import { type NoticeOptions, noticeOf } from './notice.js'
import { type Recipients, recipientOf, type Told } from './recipients.js'
import { tellAt } from './schedule.js'
import { settingsFor } from './settings.js'
import { within } from './within.js'

export interface LaneOptions {
  readonly channel: NotifyChannel
  readonly store: Store
  readonly clock: Clock
  readonly sessions: Sessions
  readonly deliveries: Deliveries
  readonly recipients: () => Recipients
  readonly notices: NoticeOptions
  /** From 0 to 1, so that many desks do not come back at once. */
  readonly random: () => number
  readonly onProblem: (problem: string) => void
}

/** Something to tell someone, which is due. */
interface Job {
  readonly id: string
  readonly delivery: Delivery
  readonly score: number
}

const concurrency = 8
const pageJobs = 500
const timeoutMs = 60_000
const firstRetryMs = 1_000
const maxRetryMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

export class Lane {
  readonly #options: LaneOptions
  readonly #queue: OrderedSet
  readonly #loop: LeasedLoop
  readonly #semaphore = new Semaphore(concurrency)
  #isFailing = false
  /** Aborted when another node may do what is due. */
  #over: AbortSignal = AbortSignal.abort()

  constructor(options: LaneOptions) {
    const { store, clock, channel, deliveries } = options
    this.#options = options
    this.#queue = deliveries.queue(channel.name)
    this.#loop = new LeasedLoop({
      store,
      key: `notify/${channel.name}/lease`,
      clock,
      pass: over => this.#doAllDue(over),
      onError: error => this.#say(error instanceof Error ? error.message : 'the store failed'),
    })
  }

  wake(): void {
    this.#loop.wake()
  }

  close(): Promise<void> {
    return this.#loop.close()
  }

  async #doAllDue(over: AbortSignal): Promise<void> {
    this.#over = over
    const { clock, recipients } = this.#options
    const due = await this.#queue.range({ limit: pageJobs, to: clock.now() })
    const jobs = await Promise.all(due.map(member => this.#jobOf(member)))
    const people = recipients()
    const groups = new Map<string, Job[]>()
    for (const job of jobs) {
      if (job === undefined) continue
      const { principal } = job.delivery
      groups.set(principal, [...(groups.get(principal) ?? []), job])
    }
    const run = (job: () => Promise<void>) => this.#semaphore.run(async () => (over.aborted ? undefined : job()))
    await Promise.all([...groups.values()].map(group => run(() => this.#tryFor(group, people))))
  }

  async #jobOf({ member: id, score }: SetMember): Promise<Job | undefined> {
    const delivery = await this.#options.deliveries.get(id)
    if (delivery !== undefined && delivery.wants !== 'nothing') return { id, delivery, score }
    await this.#queue.remove(id, { if: score })
    return undefined
  }

  /** What cannot be found out about one keeps nobody else waiting. */
  async #tryFor(jobs: readonly Job[], people: Recipients): Promise<void> {
    try {
      await this.#doFor(jobs, people)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      await this.#failed(jobs, error)
    }
  }

  /** All that is due for one person. */
  async #doFor(jobs: readonly Job[], people: Recipients): Promise<void> {
    const { channel } = this.#options
    const [first] = jobs
    if (first === undefined) return
    const told = await people.find(first.delivery.principal)
    for (const job of jobs) if (job.delivery.wants === 'withdraw') await this.#withdraw(job, told)
    const ready: { job: Job; notice: Notice }[] = []
    for (const job of jobs) {
      if (job.delivery.wants !== 'send') continue
      const notice = await this.#noticeFor(job, told, people)
      if (notice !== undefined) ready.push({ job, notice })
    }
    ready.sort((one, other) => one.notice.askedAt - other.notice.askedAt)
    const own = settingsFor(channel, told.settings)
    if (ready.length > 1 && own.digestMs > 0 && channel.sendDigest !== undefined) {
      const notices = ready.map(({ notice }) => notice)
      const isSent = await this.#try(
        ready.map(({ job }) => job),
        () => channel.sendDigest?.(recipientOf(told), notices) ?? Promise.resolve(undefined),
      )
      if (isSent) for (const { job, notice } of ready) await this.#sent(job, notice)
      return
    }
    for (const { job, notice } of ready)
      if (await this.#try([job], () => channel.send(recipientOf(told), notice))) await this.#sent(job, notice)
  }

  /** What someone is told now; undefined when they are told nothing any more, or later. */
  async #noticeFor({ id, delivery, score }: Job, told: Told, people: Recipients): Promise<Notice | undefined> {
    const { sessions, clock, channel, deliveries, notices } = this.#options
    const session = await sessions.refresh(delivery.session)
    const ask = session && askOf(session, delivery)
    const own = settingsFor(channel, told.settings)
    const isOver = ask === undefined || ask.ending !== undefined || ask.policy.expiresAt <= clock.now()
    if (session === undefined || isOver || !own.isOn || !(await people.isFor(ask, told))) {
      if (!delivery.isSent) await deliveries.forget(id, delivery)
      else await this.#queue.remove(id, { if: score })
      return undefined
    }
    // What they want may have changed since, and what was tried in vain comes when it comes.
    const at = tellAt({ since: delivery.since, now: clock.now() }, { ...own, digestMs: 0 }, told.settings?.quiet)
    if (at <= clock.now()) return { ...noticeOf(session, ask, notices), reminder: delivery.reminder }
    await this.#queue.put(id, at, { if: score })
    return undefined
  }

  async #sent({ id, score }: Job, { reminder }: Notice): Promise<void> {
    const { deliveries } = this.#options
    await deliveries.change(id, known => ({
      ...known,
      isSent: true,
      // It may have ended, or be remembered again, while it was sent.
      wants: known.wants === 'send' && known.reminder <= reminder ? 'nothing' : known.wants,
    }))
    const after = await deliveries.get(id)
    if (after?.wants === 'nothing') await this.#queue.remove(id, { if: score })
  }

  async #withdraw(job: Job, told: Told): Promise<void> {
    const { channel, deliveries, notices } = this.#options
    const { id, delivery } = job
    const { session, ask, instance } = delivery
    const notice = { id: instance, session, ask, link: notices.linkTo(session, ask) }
    const isDone =
      !delivery.isSent ||
      channel.withdraw === undefined ||
      (await this.#try([job], async () => void (await channel.withdraw?.(recipientOf(told), notice))))
    if (isDone) await deliveries.forget(id, delivery)
  }

  /** True when it was done, or someone cannot be reached; else it is tried again later. */
  async #try(jobs: readonly Job[], send: () => Promise<undefined | 'unreachable'>): Promise<boolean> {
    try {
      await within(send, { clock: this.#options.clock, ms: timeoutMs, signal: this.#over })
      this.#isFailing = false
      return true
    } catch (error) {
      // The next node tries again.
      if (!this.#over.aborted) await this.#failed(jobs, error)
      return false
    }
  }

  async #failed(jobs: readonly Job[], error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : 'it failed'
    if (!this.#isFailing) this.#say(`a notice could not be sent, and is tried again: ${reason}`)
    this.#isFailing = true
    for (const job of jobs) await this.#again(job, reason)
  }

  async #again({ id, delivery }: Job, reason: string): Promise<void> {
    const { clock, random, deliveries } = this.#options
    const { attempts, since, wants, expiresAt } = delivery
    const waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempts, 30)) * (0.5 + random() / 2)
    const at = clock.now() + waitMs
    if (at - since > dayMs || (wants === 'send' && at > expiresAt)) {
      this.#say(`a notice was given up after ${attempts + 1} attempts: ${reason}`)
      return deliveries.forget(id, delivery)
    }
    await deliveries.change(id, known => ({ ...known, attempts: attempts + 1 }))
    await this.#queue.put(id, at)
  }

  #say(problem: string): void {
    const { channel, onProblem } = this.#options
    onProblem(`Notifications by ${channel.name}: ${problem}`)
  }
}
