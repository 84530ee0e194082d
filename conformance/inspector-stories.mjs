// The Inspector's web client in Chromium, with our widgets: on both revisions, from the ask to the result.
import assert from 'node:assert/strict'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */

/** Each gives what the handler has to get.
 * @type {Record<string, (page: Page, view: FrameLocator) => Promise<unknown>>} */
export const inspectorStories = {
  async 'an author’s widget, also when its first answer does not fit'(page, view) {
    await execute(page, 'book')
    await view.getByRole('button', { name: 'Seat 0' }).click()
    await view.getByText('did not fit').waitFor()
    await answer(view, 'Seat 5')
    return { seats: [{ row: 'A', seat: 5 }] }
  },
  async 'one of 100,000, found as one types'(page, view) {
    await execute(page, 'travel')
    await view.getByLabel('Search').pressSequentially('city 9999')
    await view.getByLabel('City 99998').check()
    await answer(view, 'Choose')
    return 'c99998'
  },
  async 'one of several images'(page, view) {
    await execute(page, 'draw')
    await view.locator('canvas[data-drawn]').waitFor()
    await view.getByLabel('Round').check()
    await answer(view, 'Choose')
    return { choice: 'a' }
  },
  async 'its own form, where a widget shows nothing'(page) {
    await execute(page, 'wait')
    await page.getByText('Elicitation Request').waitFor()
    await page.getByRole('textbox', { name: 'city' }).fill('Rome')
    await page.getByRole('button', { name: 'Submit' }).click()
    return { city: 'Rome' }
  },
}

/**
 * Connects on a revision, and runs one story.
 * @param {Page} page
 * @param {string} url of the Inspector
 * @param {{ server: 'legacy' | 'modern', revision: string, story: (page: Page, view: FrameLocator) => Promise<unknown>, given: unknown[] }} what
 */
export async function runInInspector(page, url, { server, revision, story, given }) {
  await page.goto(url)
  // By keyboard: the switch itself has no size, only what is drawn over it.
  await page.getByRole('switch', { name: server }).press('Space')
  await page.getByText(`MCP ${revision}`).waitFor()
  await page.getByText('Tools', { exact: true }).first().click()
  // The Inspector shows a view in a frame of the frame that keeps it apart.
  const wanted = await story(page, page.frameLocator('iframe').frameLocator('iframe'))
  await page.getByText('Structured Output').waitFor()
  assert.deepEqual(given.at(-1), wanted)
}

/**
 * @param {Page} page
 * @param {string} tool
 */
async function execute(page, tool) {
  await page.getByRole('button', { name: tool, exact: true }).click()
  await page.getByRole('button', { name: 'Execute Tool' }).click()
}

/**
 * The frame goes with its answer: what would be waited for after a click is then never told.
 * @param {FrameLocator} view
 * @param {string} name of the button
 */
async function answer(view, name) {
  await view.getByRole('button', { name }).click({ noWaitAfter: true })
}
