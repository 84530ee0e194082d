// What both benchmarks take: `npm run bench -- gateway --quick`.

import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

/** Whether to see that it runs, and not how fast: the figures mean little, and miss no goal. */
export const isQuick = values.quick
