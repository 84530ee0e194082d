import { html, nothing, svg, type TemplateResult } from 'lit'
import { medianOf } from '../../list/times.js'
import { duration } from '../../strings/durations.js'
import type { Language } from '../../strings/strings.js'

const width = 240
const height = 36
const gap = 2
const fewest = 2

/** Time to answer as bars, the last on the end side. Higher by the logarithm, since people take seconds or days. */
export function plot(times: readonly number[], { strings, tag }: Language): TemplateResult | typeof nothing {
  if (times.length < fewest) return nothing
  const median = duration(medianOf(times), tag)
  const logs = times.map(time => Math.log1p(time / 1000))
  const most = Math.max(...logs, 1)
  const step = width / Math.max(times.length, 20)
  return html`<figure class="plot">
    <figcaption><span>${strings.timeToAnswer}</span><span>${strings.median(median)}</span></figcaption>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${strings.plot(times.length, median)}>
      ${logs.map((log, index) => {
        const bar = Math.max(2, (log / most) * height)
        const x = width - (times.length - index) * step
        return svg`<rect x=${x} y=${height - bar} width=${step - gap} height=${bar} rx="1"></rect>`
      })}
    </svg>
  </figure>`
}
