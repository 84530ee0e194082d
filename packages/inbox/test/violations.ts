import axe from 'axe-core'
import type { Person } from './rig.js'

/** What axe finds wrong with the page as it is. */
export async function violations({ page }: Pick<Person, 'page'>): Promise<unknown[]> {
  // By the protocol, since the page's own policy lets nobody put a script into it.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe.source })
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }
    return (await axe.run()).violations
  })
  return found.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
  }))
}

interface AxeViolation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}
