// How someone is told of asks: on this device, and by the channels of the desk. It is loaded when someone wants to see it.
import { SerialQueue, visible } from '@beckon/core'
import { type CSSResultGroup, html, LitElement, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import {
  type ChannelView,
  confirmAddress,
  type DeskSettings,
  type Quiet,
  readSettings,
  removeAddress,
  sendTest,
  setAddress,
  writeSettings,
} from '../../notify/desk-settings.js'
import { type DeviceState, deviceState, turnOff, turnOn } from '../../notify/this-device.js'
import { type NotifyWords, notifyWords } from '../../notify/words.js'
import { controls, theme } from '../theme.js'
import { typedText } from '../typed-text.js'
import { notifyStyles } from './notify-styles.js'

const usualQuiet = { from: '22:00', to: '07:00' }

class NotifySettingsElement extends LitElement {
  static override styles: CSSResultGroup = [theme, controls, notifyStyles]

  #tag = 'en'
  /** As they are shown: what was changed and is not written yet is in it. */
  #settings: DeskSettings | undefined
  readonly #requests = new SerialQueue()
  #device: DeviceState = deviceState()
  #said = ''
  #address = ''
  #code = ''

  /** Shows it, until it is closed. */
  async show(tag: string): Promise<void> {
    this.#tag = tag
    this.#settings = await readSettings()
    this.requestUpdate()
    await this.updateComplete
    const dialog = this.renderRoot.querySelector('dialog')
    dialog?.showModal()
    await new Promise(resolve => dialog?.addEventListener('close', resolve, { once: true }))
  }

  protected override render(): TemplateResult {
    const words = notifyWords(this.#tag)
    const channels = Object.entries(this.#settings?.channels ?? {})
    return html`<dialog aria-labelledby="title" @keydown=${(event: KeyboardEvent) => event.stopPropagation()}>
      <h2 id="title">${words.title}</h2>
      ${this.#devicePart(words)} ${channels.map(([name, channel]) => this.#channelPart(name, channel, words))}
      ${channels.length === 0 ? html`<p class="quiet">${words.onlyPage}</p>` : this.#quietPart(words)}
      <div class="end">
        <span role="status">${this.#said}</span>
        <button @click=${() => this.renderRoot.querySelector('dialog')?.close()}>${words.close}</button>
      </div>
    </dialog>`
  }

  #devicePart(words: NotifyWords): TemplateResult {
    const state = this.#device
    const isOn = state === 'push' || state === 'page'
    const cannot = state === 'denied' || state === 'unavailable'
    return html`<fieldset>
      <label>
        <input
          type="checkbox"
          id="device"
          aria-describedby="device-more"
          .checked=${live(isOn)}
          ?disabled=${cannot}
          @change=${() => void this.#switchDevice(!isOn)}
        />${words.device}
      </label>
      <p class="quiet" id="device-more">${words.deviceMore[state]}</p>
    </fieldset>`
  }

  #channelPart(name: string, channel: ChannelView, words: NotifyWords): TemplateResult {
    const title = words.channels[name] ?? name
    const { isOn, delayMs, digestMs, canDigest, canTest } = channel
    return html`<fieldset>
      <legend>${title}</legend>
      <label>
        <input
          type="checkbox"
          .checked=${live(isOn)}
          @change=${() => void this.#change(name, { isOn: !isOn })}
        />${words.use(title)}
      </label>
      ${this.#choice(words.from, words.delays, delayMs, words, delayMs => this.#change(name, { delayMs }))}
      ${canDigest ? this.#choice(words.together, words.digests, digestMs, words, digestMs => this.#change(name, { digestMs })) : nothing}
      ${name === 'push' ? this.#devicesPart(channel, words) : name === 'email' ? this.#addressPart(channel, words) : nothing}
      ${canTest ? html`<div><button @click=${() => void this.#test(name, words)}>${words.test}</button></div>` : nothing}
    </fieldset>`
  }

  #choice(
    label: string,
    choices: Readonly<Record<number, string>>,
    chosenMs: number,
    words: NotifyWords,
    choose: (ms: number) => Promise<void>,
  ): TemplateResult {
    const known = new Map(Object.entries(choices).map(([seconds, text]) => [Number(seconds) * 1000, text]))
    // One that a program set.
    if (!known.has(chosenMs)) known.set(chosenMs, words.seconds(chosenMs / 1000))
    return html`<label>
      ${label}
      <select @change=${(event: Event) => void choose(Number(typedText(event)))}>
        ${[...known].map(([ms, text]) => html`<option value=${ms} ?selected=${ms === chosenMs}>${text}</option>`)}
      </select>
    </label>`
  }

  #devicesPart({ state }: ChannelView, words: NotifyWords): TemplateResult {
    const count = state?.subscriptions?.length ?? 0
    return html`<p class="quiet">${count === 0 ? words.noDevice : words.devices(count)}</p>`
  }

  #addressPart({ state = {} }: ChannelView, words: NotifyWords): TemplateResult {
    const { address, isOwn, pending, canSet } = state
    return html`<p class="quiet">${address === undefined ? words.noAddress : words.address(visible(address))}</p>
      ${isOwn ? html`<div><button @click=${() => void this.#do(removeAddress(), words.notSaved)}>${words.removeAddress}</button></div>` : nothing}
      ${
        canSet
          ? html`<label>
              ${words.newAddress}
              <input
                type="email"
                autocomplete="email"
                .value=${live(this.#address)}
                @input=${(event: Event) => {
                  this.#address = typedText(event)
                }}
              />
              <button @click=${() => void this.#do(setAddress(this.#address.trim()), words.badAddress)}>${words.sendCode}</button>
            </label>`
          : nothing
      }
      ${
        pending === undefined
          ? nothing
          : html`<label>
              ${words.codeSent(visible(pending))}
              <input
                inputmode="numeric"
                autocomplete="one-time-code"
                .value=${live(this.#code)}
                @input=${(event: Event) => {
                  this.#code = typedText(event)
                }}
              />
              <button @click=${() => void this.#do(confirmAddress(this.#code), words.wrongCode)}>${words.confirm}</button>
            </label>`
      }`
  }

  #quietPart(words: NotifyWords): TemplateResult {
    const quiet = this.#settings?.quiet
    const time = (name: 'from' | 'to', label: string): TemplateResult => html`<label>
      ${label}
      <input
        type="time"
        required
        .value=${live(quiet?.[name] ?? '')}
        @change=${(event: Event) => void (quiet && this.#setQuiet({ ...quiet, [name]: typedText(event) }))}
      />
    </label>`
    return html`<fieldset>
      <label>
        <input
          type="checkbox"
          .checked=${live(quiet !== undefined)}
          @change=${() => void this.#setQuiet(quiet === undefined ? { ...usualQuiet, timeZone: ownZone() } : undefined)}
        />${words.quiet}
      </label>
      ${
        quiet === undefined
          ? nothing
          : html`<div class="row">${time('from', words.quietFrom)} ${time('to', words.quietTo)}</div>
              <p class="quiet">${words.quietMore(quiet.timeZone)}</p>`
      }
    </fieldset>`
  }

  get #pushKey(): string | undefined {
    return this.#settings?.channels.push?.state?.publicKey
  }

  async #switchDevice(isOn: boolean): Promise<void> {
    this.#device = isOn ? await turnOn(this.#pushKey) : await turnOff()
    await this.#read()
  }

  async #test(channel: string, words: NotifyWords): Promise<void> {
    this.#say((await sendTest(channel)) ? words.testSent : words.testFailed)
  }

  #change(name: string, change: Partial<ChannelView>): Promise<void> {
    const { channels = {}, ...rest } = this.#settings ?? {}
    const channel = channels[name]
    return channel === undefined
      ? Promise.resolve()
      : this.#save({ ...rest, channels: { ...channels, [name]: { ...channel, ...change } } })
  }

  async #setQuiet(quiet: Quiet | undefined): Promise<void> {
    const { channels = {} } = this.#settings ?? {}
    // A field that is being typed into has no time yet.
    if (quiet === undefined || (quiet.from !== '' && quiet.to !== ''))
      await this.#save({ channels, ...(quiet && { quiet }) })
  }

  /** Each change goes on from those before it, written or not. */
  async #save(settings: DeskSettings): Promise<void> {
    const { saved, notSaved } = notifyWords(this.#tag)
    this.#settings = settings
    this.#say('')
    const written = await this.#requests.run(() => writeSettings(settings, this.#tag))
    // The last change says how it ended, for all before it.
    if (this.#settings !== settings) return
    if (written === undefined) await this.#read()
    else this.#settings = written
    this.#say(written === undefined ? notSaved : saved)
  }

  async #do(done: Promise<boolean>, failure: string): Promise<void> {
    const isDone = await done
    if (isDone) {
      this.#address = ''
      this.#code = ''
    }
    await this.#read()
    this.#say(isDone ? '' : failure)
  }

  async #read(): Promise<void> {
    const shown = this.#settings
    const read = await this.#requests.run(readSettings)
    // What was changed meanwhile is written, and read, behind this.
    if (this.#settings === shown) this.#settings = read ?? shown
    this.requestUpdate()
  }

  #say(text: string): void {
    this.#said = text
    this.requestUpdate()
  }
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Shows the settings, over the page; resolves when they are closed. */
export async function showNotifySettings(tag: string): Promise<void> {
  const name = 'beckon-notify-settings'
  if (customElements.get(name) === undefined) customElements.define(name, NotifySettingsElement)
  const element = new NotifySettingsElement()
  element.lang = tag
  document.body.append(element)
  try {
    await element.show(tag)
  } finally {
    element.remove()
  }
}
