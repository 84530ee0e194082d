// How the inbox follows what a person's device, and the page that it is in, want of it.
import type { Question } from '@beckon/core'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const options = ['Small', 'Medium', 'Large'].map(label => ({ id: label, label }))
const questions: Question[] = [
  { id: 'name', kind: 'text', title: 'Name', message: 'As it should stand on the parcel.', required: true, max: 60 },
  { id: 'size', kind: 'single-select', title: 'Size', message: 'Size', options, required: true },
  { id: 'when', kind: 'text', title: 'Delivery', message: 'Delivery', format: 'date-time' },
  { id: 'gift', kind: 'boolean', title: 'Wrap it as a gift?', message: 'Wrap it as a gift?' },
  { id: 'note', kind: 'text', title: 'Note', message: 'Anything else.', max: 1000 },
]
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), property)

/** Whether nothing sticks out of the page to the side. */
function fitsIn(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const detail = document.querySelector('beckon-inbox')?.shadowRoot?.querySelector('.detail')
    return scrollWidth <= clientWidth && (detail?.scrollWidth ?? 0) <= (detail?.clientWidth ?? 0)
  })
}

describe.skipIf(!hasBrowser)('the inbox follows', { timeout: 4 * patienceMs }, () => {
  rig.attend()

  // A window of 1280 by 720, or by 1024, that is zoomed in has so many pixels of CSS left.
  it.each([
    ['200 %', { width: 640, height: 360 }],
    ['400 %', { width: 320, height: 256 }],
  ])('a zoom of %s: everything can be reached, and nothing hides what has the focus', async (_, viewport) => {
    const outcome = rig.ask({ message: 'Where should we send the order?', questions })
    const ana = await rig.visit('ana', { viewport, deviceScaleFactor: 2 })
    const { page } = ana
    await ana.open('Where should we send')
    expect(await fitsIn(page)).toBe(true)
    await ana.question('Name').locator('#control').fill('Ana')
    await ana.question('Size').getByLabel('Medium').check()
    for (const { title = '' } of questions) {
      const control = ana.question(title).locator('#control, input').first()
      await control.focus()
      const isSeen = () =>
        control.evaluate(node => {
          const { x, y, width, height } = node.getBoundingClientRect()
          const middle = [x + width / 2, y + height / 2] as const
          let seen = document.elementFromPoint(...middle)
          while (seen?.shadowRoot?.contains(seen.shadowRoot.elementFromPoint(...middle)))
            seen = seen.shadowRoot.elementFromPoint(...middle)
          return seen === node
        })
      await eventually(isSeen).toBe(true)
    }
    await ana.press('Send answer')
    expect(await outcome).toMatchObject({ action: 'accept', content: { name: 'Ana', size: 'Medium' } })
  })

  it.each([
    ['a wide window', { width: 1200, height: 800 }],
    ['a phone', { width: 375, height: 740 }],
  ])('words of any length and direction, in %s', async (_, viewport) => {
    const endless = 'Donaudampfschifffahrt'.repeat(20)
    const options = ['العمل', endless].map(label => ({ id: label, label, description: endless }))
    const many = Array.from({ length: 20 }, (_, place) => ({ id: String(place), label: `${place} ${endless}` }))
    const questions: Question[] = [
      { id: 'one', kind: 'single-select', title: 'Folder', message: 'اختر مجلدا', options },
      { id: 'any', kind: 'multi-select', title: endless, message: endless, options },
      { id: 'many', kind: 'single-select', title: 'Many', message: 'Many', options: many },
    ]
    const about = { 'beckon/tool': endless, 'beckon/arguments': { [endless]: endless, path: '/srv' } }
    void rig.ask({ message: `Long ${endless}`, questions, _meta: about })
    const ana = await rig.visit('ana', { viewport })
    const ask = await ana.open('Long')
    const overflows = () =>
      ask
        .locator('beckon-question')
        .evaluateAll(asked => asked.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    // By then its questions are there.
    await eventually(overflows).toEqual([0, 0, 0])
    expect(await fitsIn(ana.page)).toBe(true)
    // What describes a question stands under its title, whichever way it is read.
    const help = ana.question('Folder').locator('.help p')
    expect(await styleOf(help, 'direction')).toBe('ltr')
    expect(await styleOf(help.locator('bdi'), 'direction')).toBe('rtl')
  })

  it('its theme attribute rather than the device', async () => {
    void rig.ask({ message: 'Deploy?', questions })
    const ana = await rig.visit('ana', { colorScheme: 'light' })
    await ana.open('Deploy?')
    const inbox = ana.page.locator('beckon-inbox')
    const shown = async () => [
      await styleOf(ana.page.locator('beckon-ask-list .row .message').first(), 'color'),
      await styleOf(ana.page.locator('beckon-request .message'), 'color'),
      await styleOf(ana.question('Name').locator('#control'), 'background-color'),
    ]
    const light = ['rgb(28, 30, 36)', 'rgb(28, 30, 36)', 'rgb(255, 255, 255)']
    const dark = ['rgb(236, 238, 243)', 'rgb(236, 238, 243)', 'rgb(27, 29, 34)']
    expect(await shown()).toEqual(light)
    await inbox.evaluate(element => element.setAttribute('theme', 'dark'))
    await eventually(shown).toEqual(dark)
    await ana.page.emulateMedia({ colorScheme: 'dark' })
    await inbox.evaluate(element => element.setAttribute('theme', 'light'))
    await eventually(shown).toEqual(light)
    await inbox.evaluate(element => element.removeAttribute('theme'))
    await eventually(shown).toEqual(dark)
  })

  it('a wish for less motion: nothing moves by itself', async () => {
    void rig.ask({ message: 'Deploy?', questions })
    const ana = await rig.visit('ana', { reducedMotion: 'reduce' })
    await ana.open('Deploy?')
    const moving = () =>
      ana.page.evaluate(() => {
        const inside = (root: Document | ShadowRoot): Element[] =>
          [...root.querySelectorAll('*')].flatMap(node => [node, ...(node.shadowRoot ? inside(node.shadowRoot) : [])])
        const isMoving = ({ transitionDuration, animationName }: CSSStyleDeclaration): boolean =>
          transitionDuration !== '0s' || animationName !== 'none'
        return inside(document)
          .filter(node => node.checkVisibility() && isMoving(getComputedStyle(node)))
          .map(node => node.outerHTML.slice(0, 80))
      })
    expect(await moving()).toEqual([])
    await ana.page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moving()).not.toEqual([])
  })

  it('colours that someone forces: what is chosen, and what leads on, is told apart by them', async () => {
    void rig.ask({ message: 'Deploy?', questions })
    void rig.ask({ message: 'Restart?' })
    const ana = await rig.visit('ana', { forcedColors: 'active', colorScheme: 'light', reducedMotion: 'reduce' })
    await ana.open('Deploy?')
    const { page } = ana
    await ana.question('Size').getByLabel('Medium').check()
    const differs = async (one: Locator, other: Locator, properties: string[]) => {
      const [a, b] = await Promise.all(
        [one, other].map(element => Promise.all(properties.map(property => styleOf(element, property)))),
      )
      return JSON.stringify(a) !== JSON.stringify(b)
    }
    const look = ['background-color', 'border-top-color', 'outline-style', 'outline-color']
    const card = (selected: boolean) => page.locator(`beckon-ask-list .row[aria-selected='${selected}'] .card`)
    expect(await differs(card(true), card(false).first(), look)).toBe(true)
    const tab = (name: string) => page.getByRole('tab', { name })
    expect(await differs(tab('Open'), tab('History'), look)).toBe(true)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    expect(await differs(button('Send answer'), button('Decline'), look)).toBe(true)
    const option = (label: string) => ana.question('Size').locator('.option', { hasText: label })
    expect(await differs(option('Medium'), option('Small'), look)).toBe(true)
  })
})
