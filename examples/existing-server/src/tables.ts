import { z } from 'zod'

/** The tool, as a client sees it. */
export const tool = { description: 'Book a table', inputSchema: z.object({ day: z.string() }) }

/** What the person is asked for. */
export const party = z.object({
  seats: z
    .int()
    .min(1)
    .max(12)
    .refine(seats => seats % 2 === 0, 'Tables have an even number of seats.'),
})

/** What was booked. */
export class Tables {
  readonly booked: string[] = []

  book(day: string, seats: number): string {
    this.booked.push(`${seats} on ${day}`)
    return `Booked ${seats} seats on ${day}.`
  }
}
