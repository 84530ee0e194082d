/** Does not settle. A new one each time: everyone who awaits a promise is kept alive by it. */
export function never(): Promise<never> {
  return new Promise(() => {})
}
