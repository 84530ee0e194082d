// A session forgets asks that ended long ago, and another may have the name of one then: nobody answers it who saw the first.
import { createTestClock } from 'beckon/test'
import { expect, it, onTestFinished } from 'vitest'
import { serveRest } from '../../test/serve-rest.js'
import { createParts } from '../desk-parts.js'
import { maxRemembered } from '../model/reduce.js'
import { createRest } from '../rest/rest.js'
import { openOnDesk } from '../turns/open-ask.js'

it.each(['answer', 'decline', 'cancel'])(
  '%s is of the ask that was seen, and of no other with its name',
  async verb => {
    const clock = createTestClock()
    const parts = createParts({ clock })
    const rest = createRest(parts)
    const { url, close } = await serveRest(rest)
    onTestFinished(async () => {
      rest.close()
      await close()
      await parts.close()
    })
    const ask = (id: string, message: string) => {
      const terms = { policy: { audience: { principals: ['alice'] } }, expiresAt: clock.now() + 3_600_000 }
      const where = { linkTo: () => '', identifiesPeople: true }
      return openOnDesk(parts.turns, [{ server: 'shop', call: 'c' }, { id, message }, terms], where)
    }
    const path = `${url}/api/asks/call-c/c.x`
    const headers = { authorization: 'Bearer alice', 'content-type': 'application/json' }
    const read = async () => (await fetch(path, { headers })).json()
    const send = (body: object) => fetch(`${path}/${verb}`, { method: 'POST', headers, body: JSON.stringify(body) })

    await (await ask('x', 'Water the plants?')).withdraw()
    const { askedAt } = await read()
    for (let index = 0; index < maxRemembered; index++) await (await ask(`${index}`, 'Well?')).withdraw()
    await clock.advance(1)
    await ask('x', 'Pay 1,000,000?')

    const refused = await send({ askedAt })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'ask-ended'])
    const now = await read()
    expect(now).toMatchObject({ status: 'open', message: 'Pay 1,000,000?' })
    expect((await send({ askedAt: now.askedAt })).status).toBe(200)
  },
)
