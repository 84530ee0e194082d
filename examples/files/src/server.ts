import { type BeckonServer, createServer } from 'beckon'
import { file, files, type UploadedFile } from 'beckon/files'
import { z } from 'zod'

/** A tool that asks for a document. No client and no model ever has its bytes. */
export function createClaims(folder: string, publicUrl?: string): BeckonServer {
  const server = createServer({
    name: 'claims',
    version: '1.0.0',
    publicUrl,
    files: files({
      to: folder,
      scan: ({ name }) => (/invoice/i.test(name) ? undefined : 'That is not called an invoice.'),
    }),
  })
  server.tool('file_claim', {}, async (_input, ctx) => {
    const claim = await ctx.elicit({
      question: 'The invoice that you want to have paid.',
      schema: z.object({
        reason: z.string().min(3).meta({ title: 'What it was for' }),
        invoice: z.custom<UploadedFile>().meta(file({ maxBytes: 5_000_000, types: ['application/pdf', 'image/*'] })),
      }),
    })
    if (claim === null) return ctx.text('Nothing was filed.')
    const { name, type, size } = claim.invoice
    return ctx.text(`Filed ${name} (${type}, ${size} bytes) for ${claim.reason}.`)
  })
  return server
}
