/** Does something whenever the person at this terminal presses Enter; without a terminal, never. Gives back how to stop. */
export function onEnter(act: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  stdin.on('data', act)
  return () => {
    stdin.off('data', act)
    stdin.pause()
  }
}
