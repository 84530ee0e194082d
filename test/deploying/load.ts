// Servers that ask, and somebody who answers, as many at once as `WORKERS` says, until standard input ends; then what came of it,
// as a line of JSON. Everything goes through the proxy, as from other machines.
import { remoteDeskFrom } from 'beckon/desk/adapter'

const { BECKON_DESK = '', SHOP_TOKEN = '', OPS_TOKEN = '', WORKERS = '8' } = process.env
const desk = remoteDeskFrom({ url: BECKON_DESK, token: SHOP_TOKEN })
const report = { acknowledged: 0, lost: [] as string[], again: 0 }
let isOver = false
let count = 0

process.stdin.on('end', () => {
  isOver = true
})
process.stdin.resume()

/** Answers, and sends the same again when the answer to that did not come through. */
async function answer(path: string): Promise<void> {
  for (;;) {
    const response = await fetch(new URL(`/api${path}/answer`, BECKON_DESK), {
      method: 'POST',
      headers: { authorization: `Bearer ${OPS_TOKEN}` },
    }).catch(() => undefined)
    // Over already: an earlier try was taken, and its answer was cut off.
    if (response?.status === 200 || response?.status === 409) return
    report.again++
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function askAndAnswer(): Promise<void> {
  const id = `ask-${process.pid}-${count++}`
  const expiresAt = Date.now() + 300_000
  const opened = await desk.open({ server: 'shop', call: id, tool: 'load' }, { id, message: 'Again?' }, { expiresAt })
  const outcome = opened.outcome()
  await answer(new URL(opened.link ?? '').pathname)
  report.acknowledged++
  if (report.acknowledged === 20) console.log('busy')
  const { action } = await outcome
  if (action !== 'accept') report.lost.push(`${id}: ${action}`)
}

await Promise.all(
  Array.from({ length: Number(WORKERS) }, async () => {
    while (!isOver) await askAndAnswer()
  }),
)
console.log(JSON.stringify(report))
