import { median } from '../../median.mjs'

/** @typedef {import('../load/measure.mjs').Sample} Sample */
/** @typedef {import('../servers/contenders.mjs').Contender} Contender */
/** Samples of one call at a time and of many, repetition by repetition. @typedef {{ contender: Contender, one: Sample[], many: Sample[] }} Run */
/** Ratios are to the contender of that name on the same wire; NaN when it was left out. @typedef {Sample & { speedTo: Ratios, cpuTo: Ratios }} Figures */
/** @typedef {{ tmcp: number, bare: number }} Ratios */
/** @typedef {Pick<Contender, 'name' | 'wire'> & { role: Contender['role'], one: Figures, many: Figures }} Summary */

/**
 * Medians; and ratios, taken within each repetition before their median, since the machine drifts between them.
 * @param {Run[]} runs
 * @returns {Summary[]}
 */
export function summarize(runs) {
  return runs.map(run => {
    const { name, wire, role } = run.contender
    const peers = runs.filter(({ contender }) => contender.wire === wire)
    return { name, wire, role, one: figuresOf(run, peers, 'one'), many: figuresOf(run, peers, 'many') }
  })
}

/**
 * @param {Run} run
 * @param {Run[]} peers
 * @param {'one' | 'many'} mode
 * @returns {Figures}
 */
function figuresOf(run, peers, mode) {
  const samples = run[mode]
  /** @param {keyof Sample} measure */
  const middle = measure => median(samples.map(sample => sample[measure]))
  /**
   * @param {keyof Sample} measure
   * @param {keyof Ratios} role
   */
  const ratio = (measure, role) => {
    const others = peers.find(({ contender }) => contender.role === role)?.[mode]
    return median(samples.map((sample, index) => sample[measure] / (others?.[index]?.[measure] ?? Number.NaN)))
  }
  return {
    perSecond: middle('perSecond'),
    cpuUs: middle('cpuUs'),
    serverBusy: middle('serverBusy'),
    speedTo: { tmcp: ratio('perSecond', 'tmcp'), bare: ratio('perSecond', 'bare') },
    cpuTo: { tmcp: ratio('cpuUs', 'tmcp'), bare: ratio('cpuUs', 'bare') },
  }
}
