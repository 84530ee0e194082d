import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askingServer } from '../../test/asking-server.js'
import { askingOnStdio } from '../../test/beckon.js'
import { keys, noTerminal, openPty } from '../../test/pty.js'

const onStdio = ['--', ...askingOnStdio]
const server = askingServer()
let url = ''
const { enter, down, up, space, ctrlC } = keys
const patient = 120_000

beforeAll(async () => {
  url = (await server.listen({ port: 0 })).url
})

afterAll(() => server.close())

function call(tool: string, era: string) {
  return openPty(['call', url, tool, '--era', era])
}

if (noTerminal !== undefined) console.log(`skipped: beckon call in a terminal: ${noTerminal}`)

describe.skipIf(noTerminal !== undefined).each(['2025', '2026'])('beckon call in a terminal, %s', era => {
  it('asks for a yes, by letters too, and Enter alone is none', { timeout: patient }, async () => {
    const yes = call('erase', era)
    await yes.shows('shop asks')
    await yes.shows('Erase everything?')
    await yes.shows('This tool can delete or overwrite things.')
    await yes.shows('Go ahead?')
    yes.type('nn', 'c', down, down, 'Y', enter)
    await yes.shows('Erased.')
    expect(await yes.ended()).toBe(0)
    expect(yes.raw).not.toContain('Fulfilling')

    const no = openPty(['call', 'erase', '--era', era, ...onStdio])
    await no.shows('Go ahead?')
    no.type(enter)
    await no.shows('Kept.')
    expect(await no.ended()).toBe(3)
  })

  it('asks whoever sees the question: what was typed before it came counts for nothing', {
    timeout: patient,
  }, async () => {
    const pty = call('erase', era)
    pty.type('y')
    await pty.shows('Go ahead?')
    pty.type(enter)
    await pty.shows('Kept.')
    expect(await pty.ended()).toBe(3)
  })

  it('takes a no at its word: there is nothing to write a reason into', { timeout: patient }, async () => {
    const pty = call('outcome', era)
    await pty.shows('Go ahead?')
    pty.type('n', enter)
    await pty.shows('{"action":"decline"}')
    expect(await pty.ended()).toBe(3)
    expect(pty.raw).not.toMatch(/reason|why/i)
  })

  it('shows what belongs to a question, with nothing in it that commands a terminal', {
    timeout: patient,
  }, async () => {
    const pty = call('save', era)
    await pty.shows('Save?')
    await pty.shows('+ port = 443')
    await pty.shows('Go ahead?')
    pty.type('y', enter)
    await pty.shows('Saved.')
    expect(await pty.ended()).toBe(0)
    expect(pty.raw).not.toContain('\u001b]0;owned')
  })

  it('cancels an ask with Ctrl-C', { timeout: patient }, async () => {
    const pty = call('erase', era)
    await pty.shows('Go ahead?')
    pty.type(ctrlC)
    await pty.shows('Kept.')
    expect(await pty.ended()).toBe(3)
  })

  it('asks questions of every kind, checks them in words, and shows them before they are sent', {
    timeout: patient,
  }, async () => {
    const pty = call('every_kind', era)
    await pty.shows('Tell us everything.')
    await pty.shows('Name')
    pty.type('A', enter)
    await pty.shows('at least 2 characters')
    pty.type('da', enter)
    await pty.shows('Mail')
    pty.type('nobody', enter)
    await pty.shows('Enter an e-mail address')
    pty.type('@shop.example', enter)
    await pty.shows('Story')
    pty.type('Once', enter, 'upon', enter, enter)
    await pty.shows('Height')
    pty.type('tall', enter)
    await pty.shows('Enter a number.')
    pty.type('\u007f'.repeat(4), '1.8', enter)
    await pty.shows('Seats')
    pty.type(enter)
    await pty.shows('Window')
    // An Enter after a letter belongs to the same question.
    pty.type('y', 'n', enter)
    await pty.shows('By')
    pty.type(up, enter)
    await pty.shows('Extras')
    pty.type(enter)
    await pty.shows('Choose at least 1 option.')
    await pty.shows('Extras')
    pty.type(down, space, enter)
    await pty.shows('Note')
    pty.type(enter)
    await pty.shows('Your answers to shop')
    await pty.shows('Seats: 2')
    await pty.shows('By: Train')
    await pty.shows('Send them?')
    // Seats are changed in the review.
    pty.type(down, down, down, down, down, enter)
    await pty.shows('◆  Seats')
    pty.type('\u007f', '9', enter)
    await pty.shows('Enter 4 or less.')
    pty.type('\u007f', '3', enter)
    await pty.shows('Seats: 3')
    await pty.shows('Send them?')
    pty.type(enter)
    await pty.shows('"action":"accept"')
    expect(await pty.ended()).toBe(0)
    const said = /\{"action":"accept".*\}/.exec(pty.raw)?.[0] ?? '{}'
    expect(JSON.parse(said).content).toEqual({
      name: 'Ada',
      mail: 'nobody@shop.example',
      story: 'Once\nupon',
      height: 1.8,
      seats: 3,
      window: false,
      by: 't',
      extras: ['wifi'],
    })
  })

  it('tells declining from cancelling when a form is left', { timeout: patient }, async () => {
    const pty = call('every_kind', era)
    await pty.shows('Name')
    pty.type(ctrlC)
    await pty.shows('Leave this?')
    pty.type(down, down, enter)
    await pty.shows('Name')
    pty.type(ctrlC)
    await pty.shows('Leave this?')
    pty.type(down, enter)
    await pty.shows('"action":"decline"')
    expect(await pty.ended()).toBe(3)
  })

  it('asks two things one after the other', { timeout: patient }, async () => {
    const pty = call('two', era)
    for (const [question, answer] of [
      ['First?', 'one'],
      ['Second?', 'two'],
    ] as const) {
      await pty.shows(question)
      await pty.shows('Your answer')
      pty.type(answer, enter)
      await pty.shows('Send them?')
      pty.type(enter)
    }
    await pty.shows('"content":"two"')
    expect(await pty.ended()).toBe(0)
  })

  it('shows a page with its host, and opens nothing without a yes', { timeout: patient }, async () => {
    const pty = call('visit', era)
    await pty.shows('Accept the terms.')
    await pty.shows('https://shop.example/terms')
    await pty.shows('Open it?')
    pty.type(down, enter)
    await pty.shows('decline')
    expect(await pty.ended()).toBe(3)

    const yes = call('visit', era)
    await yes.shows('Open it?')
    yes.type(enter)
    await yes.shows('Open this address yourself')
    await yes.shows('accept')
    expect(await yes.ended()).toBe(0)
  })

  it('lets no server command the terminal', { timeout: patient }, async () => {
    const pty = call('hostile', era)
    await pty.shows('Delete [U+202E]everything[U+202C]?')
    await pty.shows('Go ahead?')
    pty.type(up, enter)
    await pty.shows('yes')
    expect(await pty.ended()).toBe(0)
    expect(pty.raw).not.toContain('\u001b[2J')
    expect(pty.raw).not.toContain('owned')
    expect(pty.raw).not.toContain('This tool can delete')
    expect(pty.raw).not.toContain('\u202e')
    expect(pty.raw).not.toContain('yes\u001b[31m')
  })
})

it.skipIf(noTerminal !== undefined)(
  'asks in a terminal that does not say how wide it is',
  {
    timeout: patient,
  },
  async () => {
    const pty = openPty(['call', url, 'erase'], {}, { columns: 0 })
    await pty.shows('Erase everything?')
    await pty.shows('Go ahead?')
    pty.type('y', enter)
    await pty.shows('Erased.')
    expect(await pty.ended()).toBe(0)
  },
)
