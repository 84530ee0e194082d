// The buttons of an ask that a widget's page is part of.
//
// Threat: such a page is a server's own code, and says how high it is, that it has answered, that it failed. Were the buttons to
// follow, the second half of a double click in the page would fall on "Send answer", which came to stand there after the first. So the
// ask never gets lower again, with its buttons at its end: they only ever move away from the page. And where they have come to stand
// just now, nobody meant to press them.
import type { LitElement, ReactiveController } from 'lit'

/** As long as a double click takes, and as someone needs to see that something moved. */
const steadyMs = 500

export class SteadyButtons implements ReactiveController {
  readonly #host: LitElement
  readonly #sizes = new ResizeObserver(() => this.#look())
  #ask: HTMLElement | undefined
  #height = 0
  #moving: ReturnType<typeof setTimeout> | undefined

  constructor(host: LitElement) {
    this.#host = host
    host.addController(this)
  }

  hostDisconnected(): void {
    this.watch(undefined)
  }

  /** Whether the buttons came to stand where they are just now. */
  get isMoving(): boolean {
    return this.#moving !== undefined
  }

  /** Another ask is shown. */
  turn(): void {
    this.watch(undefined)
  }

  /** Holds the buttons of the ask that is drawn there; of none without. */
  watch(ask: HTMLElement | undefined): void {
    if (ask === this.#ask) return
    this.#sizes.disconnect()
    this.#ask?.style.removeProperty('min-block-size')
    clearTimeout(this.#moving)
    this.#moving = undefined
    this.#height = 0
    this.#ask = ask
    if (ask !== undefined) this.#sizes.observe(ask, { box: 'border-box' })
  }

  /** Keeps a press from the buttons while they move. Taking back is not held up, nor who presses by key, wherever that stands. */
  readonly onClick = {
    capture: true,
    handleEvent: (event: MouseEvent): void => {
      const isOnButtons = event
        .composedPath()
        .some(each => each instanceof Element && each.matches('.actions:not(.held)'))
      if (this.isMoving && event.detail > 0 && isOnButtons) event.stopImmediatePropagation()
    },
  }

  #look(): void {
    const height = this.#ask?.offsetHeight ?? 0
    if (this.#ask === undefined || height <= this.#height) return
    this.#height = height
    this.#ask.style.minBlockSize = `${height}px`
    clearTimeout(this.#moving)
    this.#moving = setTimeout(() => {
      this.#moving = undefined
      this.#host.requestUpdate()
    }, steadyMs)
    this.#host.requestUpdate()
  }
}
