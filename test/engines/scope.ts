/** What a part of the run has started, and stops at its end, the last one first. */
export class Scope {
  readonly #stops: (() => unknown)[] = []
  #isOver = false

  /** @throws Error after the end, which an interruption can bring while something starts. */
  teardown(stop: () => unknown): void {
    if (this.#isOver) throw new Error('The run is over.')
    this.#stops.push(stop)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const stop of this.#stops.splice(0).reverse()) await stop()
  }
}
