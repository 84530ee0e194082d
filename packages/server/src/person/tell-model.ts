/** What a model is told when a client answered for a person: its handler knows, and may have said something else. */
const notice =
  'A question of this tool was answered by the client itself, too fast for a person to have read it. That answer did not count, ' +
  'and no person has decided anything: do not report it as theirs. Have this call made where a person can answer.'

/** A tool's result with that said, beside whatever it says itself. */
export function withNotice(result: Record<string, unknown>): Record<string, unknown> {
  const { content } = result
  const blocks: unknown[] = Array.isArray(content) ? content : []
  return { ...result, content: [...blocks, { type: 'text', text: notice }] }
}
