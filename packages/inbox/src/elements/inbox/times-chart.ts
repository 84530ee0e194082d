import { html, nothing, svg, type TemplateResult } from 'lit'
import { medianOf } from '../../list/times.js'
import { duration } from '../../strings/durations.js'
import type { Language } from '../../strings/strings.js'

const width = 240
const height = 40
const gap = 2
const minTimes = 2

/**
 * Time to answer as bars, the last on the end side, with a line at the median. Higher by the logarithm, since people take
 * seconds or days.
 */
export function timesChart(times: readonly number[], { strings, tag }: Language): TemplateResult | typeof nothing {
  if (times.length < minTimes) return nothing
  const median = medianOf(times)
  const most = Math.max(...times.map(logOf), 1)
  const heightOf = (time: number): number => Math.max(2, (logOf(time) / most) * height)
  const step = width / Math.max(times.length, 20)
  const middle = height - heightOf(median)
  const words = duration(median, tag)
  return html`<figure class="plot">
    <figcaption><span>${strings.timeToAnswer}</span><span>${strings.median(words)}</span></figcaption>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${strings.plot(times.length, words)}>
      ${times.map((time, index) => {
        const bar = heightOf(time)
        const x = width - (times.length - index) * step + gap
        return svg`<rect x=${x} y=${height - bar} width=${step - gap} height=${bar}><title>${duration(time, tag)}</title></rect>`
      })}
      <line x1="0" x2=${width} y1=${middle} y2=${middle} vector-effect="non-scaling-stroke" />
    </svg>
  </figure>`
}

function logOf(time: number): number {
  return Math.log1p(time / 1000)
}
