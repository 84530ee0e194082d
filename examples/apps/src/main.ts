// Two applications, claimed by an official MCP client through the gateway, and a person who says yes and no: in every era,
// and after a restart of everything.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, type Gateway } from '@beckon/gateway'
import { Agent, eras } from './agent.js'
import type { Application } from './application.js'
import { startStock } from './stock/start.js'
import { launchBrowser } from './todo/browser.js'
import { openTodos } from './todo/open.js'
import { serveTodoPage } from './todo/serve.js'

const browser = await launchBrowser()
const todoPage = await serveTodoPage()
try {
  for (const era of Object.keys(eras)) {
    const home = await mkdtemp(join(tmpdir(), 'beckon-apps-'))
    try {
      await tellStory(era, home)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
    console.log(`apps: ok (${era}${browser === undefined ? ', without the page: there is no Chromium here' : ''})`)
  }
} finally {
  todoPage.close()
  await browser?.close()
}

async function tellStory(era: string, home: string): Promise<void> {
  const applications: Application[] = []
  let gateway = createGateway({ home, log: () => {} })
  const { url } = await gateway.listen({ port: 0 })
  const { host, port } = new URL(url)
  let agent = await Agent.connect(url, eras[era])
  try {
    applications.push(startStock(home))
    if (browser !== undefined)
      applications.push(await openTodos(browser, `${todoPage.url}?gateway=ws://${host}/beckon/app`))

    for (const application of applications) {
      await agent.claim(await application.readCode())
      await application.use(agent)
    }

    // Each begins anew, and its claim holds.
    for (const application of applications) {
      await application.restart(() => connected(gateway, applications.length - 1))
      await connected(gateway, applications.length)
      await application.use(agent)
    }

    // So does the gateway, and every claim holds.
    await agent.close()
    await gateway.close()
    gateway = createGateway({ home, log: () => {} })
    await gateway.listen({ port: Number(port) })
    agent = await Agent.connect(url, eras[era])
    await connected(gateway, applications.length)
    for (const application of applications) await application.use(agent)
  } finally {
    for (const application of applications) await application.stop()
    await agent.close()
    await gateway.close()
  }
}

/** Waits until so many applications are there. */
async function connected(gateway: Gateway, count: number): Promise<void> {
  for (;;) {
    const present = (await gateway.apps()).filter(({ status }) => status === 'connected')
    if (present.length === count) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
