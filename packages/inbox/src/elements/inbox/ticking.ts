import type { ReactiveController, ReactiveControllerHost } from 'lit'

const tickMs = 1_000

/** The time as an element shows it: it is drawn again every second, while someone can see it. */
export class Ticking implements ReactiveController {
  /** Milliseconds. */
  now: number = Date.now()
  readonly #host: ReactiveControllerHost
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {
    this.#timer = setInterval(() => {
      if (!document.hidden) this.#host.requestUpdate()
    }, tickMs)
  }

  hostDisconnected(): void {
    clearInterval(this.#timer)
  }

  hostUpdate(): void {
    this.now = Date.now()
  }
}
