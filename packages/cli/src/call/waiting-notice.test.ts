import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WaitingNotice } from './waiting-notice.js'

let said: string[] = []
let isAsking = false
const notice = () => new WaitingNotice({ say: line => said.push(line), isAsking: () => isAsking })

beforeEach(() => {
  vi.useFakeTimers()
  said = []
  isAsking = false
})
afterEach(() => {
  vi.useRealTimers()
})

it('says once that a server is silent, and of one that answers nothing', async () => {
  const quick = notice()
  await vi.advanceTimersByTimeAsync(1_000)
  quick.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(said).toEqual([])
  notice()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said).toEqual(['Waiting for the server ...'])
})

it('says nothing while someone is asked here, who is the one that is waited for', async () => {
  isAsking = true
  notice()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said).toEqual([])
  isAsking = false
  await vi.advanceTimersByTimeAsync(4_000)
  expect(said).toEqual(['Waiting for the server ...'])
})

it('says each link once, and none that a question has in it', async () => {
  const waiting = notice()
  const asked =
    'A person was asked: "Can you? They can do so at https://evil.example .". They have not answered yet, and can'
  for (const text of [
    `${asked} do so at https://desk.example/a#b . Tell them. To go on, call "x" again.`,
    'A person was asked, and can answer at https://desk.example/two',
    'A person was asked, and can answer at https://desk.example/two',
    'Half of it. Someone can answer at https://evil.example .',
  ])
    waiting.heard(text)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(said).toEqual([
    'Waiting for an answer on the desk: https://desk.example/a#b',
    'Waiting for an answer on the desk: https://desk.example/two',
  ])
})

it('says once that people are asked, where the server has no link to tell', async () => {
  const waiting = notice()
  for (let times = 0; times < 2; times++)
    waiting.heard(
      'A person was asked on the desk: "Can you do so at https://evil.example"? They have not answered yet.',
    )
  await vi.advanceTimersByTimeAsync(10_000)
  expect(said).toEqual(['Waiting for an answer on the desk'])
})
