// A shop with one of each middleware, over every wire: pushed (2025-11-25), in rounds (2026-07-28), as tasks, and on a desk.
import assert from 'node:assert/strict'
import { bearerAccess, createDesk } from '@beckon/desk'
import type { LoggedCall } from 'beckon/logger'
import { startAuthorizationServer } from './authorization-server.js'
import { createBank } from './bank.js'
import { Browser } from './browser.js'
import { connect, type Person, type Wire, wires } from './client.js'
import { createPrintShop } from './print-shop.js'
import { sitDown } from './sit-down.js'

const { issuer, close } = await startAuthorizationServer()
for (const wire of wires) {
  await visit(wire)
  console.log(`middleware: ok (${wire})`)
}
close()

async function visit(wire: Wire): Promise<void> {
  const bank = createBank()
  const calls: LoggedCall[] = []
  // It tells people apart: each is shown what is theirs.
  const desk = createDesk({
    access: bearerAccess({ tokens: { ada: { principal: 'ada' }, eve: { principal: 'eve' } } }),
  })
  const { url: deskUrl } = await desk.listen()
  const shop = createPrintShop({ issuer, bank, desk, log: call => calls.push(call) })
  const { url } = await shop.listen({ port: 0 })
  const browser = new Browser('ada')
  const ada: Person = {
    name: 'ada',
    agrees: true,
    async open(link) {
      const there = await browser.goOn(link)
      if (there.startsWith(issuer)) {
        assert.match(await browser.get(await browser.sentBackFrom(there)), /<h1>Done<\/h1>/)
        return
      }
      bank.visit(there)
      const back = link.replace('/beckon/go/', '/beckon/payment/return/')
      assert.match(await browser.get(back), /The payment has arrived/)
    },
  }
  const eve: Person = { ...ada, name: 'eve', agrees: false }
  const seats = [await sitDown(deskUrl, ada), await sitDown(deskUrl, eve)]
  const client = await connect(ada, { wire, url, desk })
  const stranger = await connect(eve, { wire, url, desk })

  // Hidden, and closed, until authorized: for Ada alone.
  assert.deepEqual(await client.tools(), ['come_in'])
  assert.match((await client.call('prices')).text, /Not authorized/)
  assert.equal((await client.call('come_in')).text, 'Welcome.')
  assert.deepEqual(await client.tools(), ['come_in', 'prices', 'read_notes', 'print', 'ring_bell'])
  assert.match((await stranger.call('come_in')).text, /No person confirmed/)
  assert.deepEqual(await stranger.tools(), ['come_in'])

  // The second look is from the cache, and both are cut.
  for (let look = 0; look < 2; look++)
    assert.match((await client.call('prices')).text, /^Look 1: a page is 2\.50, a … /)

  assert.equal((await client.call('read_notes')).text, 'Buy paper.')

  // Paid once, although the printer was stuck at first; and again for the next page.
  for (let page = 0; page < 2; page++) {
    const printed = await client.call('print')
    assert.equal(printed.text, 'Printed for 250 cents.')
    const receipt = printed.meta['beckon/receipt'] as { amount: number; currency: string }
    assert.deepEqual([receipt.amount, receipt.currency], [250, 'eur'])
  }

  assert.equal((await client.call('ring_bell')).text, 'Ding.')
  assert.match((await client.call('ring_bell')).text, /Too many calls/)

  assert.deepEqual(
    calls.map(({ name, outcome }) => `${name} ${outcome}`),
    [
      'prices error',
      'come_in ok',
      'come_in error',
      'prices ok',
      'prices ok',
      'read_notes ok',
      'print ok',
      'print ok',
      'ring_bell ok',
      'ring_bell error',
    ],
  )
  await Promise.all([client.close(), stranger.close(), ...seats.map(seat => seat.leave())])
  await shop.close()
  await desk.close()
}
