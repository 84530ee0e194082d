import { type BeckonServer, createServer } from 'beckon'
import { defineWidget } from 'beckon/widgets'
import { z } from 'zod'
import { seatsPage } from './seats-page.js'

const free = [
  { row: 'A', seat: 4 },
  { row: 'A', seat: 5 },
  { row: 'B', seat: 1 },
]
const isFree = (wanted: { row: string; seat: number }) =>
  free.some(({ row, seat }) => row === wanted.row && seat === wanted.seat)

const seats = defineWidget({
  name: 'seats',
  title: 'Seats',
  schema: z.object({
    seats: z.array(z.object({ row: z.string(), seat: z.number() }).refine(isFree, 'That seat is taken.')).min(1),
  }),
  module: seatsPage,
})

/** A theatre, whose plan is no form. */
export function createTheatre(): BeckonServer {
  const server = createServer({ name: 'theatre', version: '1.0.0', widgets: [seats] })
  return server.tool('book', { description: 'Book seats', widget: seats }, async (_input, ctx) => {
    const answer = await ctx.elicit({ question: 'Which seats?', widget: seats, data: { free } })
    if (answer === null) return ctx.text('Nothing was booked.')
    return ctx.text(`Booked ${answer.seats.map(({ row, seat }) => row + seat).join(' and ')}.`)
  })
}
