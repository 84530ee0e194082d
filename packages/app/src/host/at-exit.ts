const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does something when the process ends, by itself or by a signal; the result takes that back. */
export function atExit(fn: () => void): () => void {
  function stop(): void {
    process.off('exit', fn)
    for (const signal of signals) process.off(signal, onSignal)
  }
  function onSignal(signal: NodeJS.Signals): void {
    stop()
    fn()
    // To listen for a signal is to keep the process from ending by it. Others who listen decide for themselves.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  process.on('exit', fn)
  for (const signal of signals) process.on(signal, onSignal)
  return stop
}
