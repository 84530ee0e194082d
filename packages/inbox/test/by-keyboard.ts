import type { Locator } from 'playwright-core'
import type { Person } from './rig.js'

/** Goes on with Tab until something with this name has the focus. */
export async function tabTo(
  { page }: Person,
  name: string | RegExp,
  role: 'button' | 'radio' | 'textbox' | 'combobox' = 'button',
): Promise<Locator> {
  const wanted = page.getByRole(role, { name, exact: true }).first()
  await wanted.waitFor()
  for (let steps = 0; steps < 40; steps++) {
    if (await wanted.evaluate(element => element.matches(':focus'))) return wanted
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}.`)
}

/** Goes to a button with Tab, and presses it. */
export async function pressOn(person: Person, name: string | RegExp): Promise<void> {
  await tabTo(person, name)
  await person.page.keyboard.press('Enter')
}
