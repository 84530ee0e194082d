import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { Application } from '../application.js'

/** Opens the page in a browser of its own. */
export async function openTodos(browser: Browser, url: string): Promise<Application> {
  const context = await browser.newContext()
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(url)
  const shown = () => page.locator('#todos li').allInnerTexts()
  return {
    readCode: () => page.locator('#claim.unclaimed').innerText(),
    async use(agent) {
      const before = await shown()
      const left = before.filter(todo => !todo.endsWith('(done)'))
      const removed = before.length - left.length
      const clear = (action: 'accept' | 'decline') =>
        agent.call('todo__clearCompleted', question => {
          assert.equal(question, `Remove ${removed} completed todos? This cannot be undone.`)
          return { action }
        })
      assert.deepEqual(await clear('decline'), { removed: 0, cancelled: true })
      assert.deepEqual(await shown(), before)
      assert.deepEqual(await clear('accept'), { removed })
      assert.deepEqual(await shown(), left)
    },
    async restart() {
      // The page says when it is connected again: nothing else has to be waited for.
      await page.reload()
      await page.locator('#claim.claimed').waitFor()
      assert.equal((await shown()).length, 3)
    },
    stop: () => context.close(),
  }
}
