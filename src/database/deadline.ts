/** Ends work at a deadline, or when a signal aborts. */
import { Failure } from '../errors/failure.js'

export interface Deadline {
  /** Milliseconds. 0 or less after the deadline. */
  timeLeft(): number
  /** Aborts at the deadline, and when the client disconnects. */
  readonly over?: AbortSignal | undefined
  /** Called with each thing that the request begins to wait for. */
  readonly onWait?: ((what: 'connection' | 'statement') => void) | undefined
}

/** Rejects with the signal's reason if the signal aborts first. The later outcome of `work` is ignored. */
export async function race<Result>(over: AbortSignal, work: () => Result | Promise<Result>): Promise<Result> {
  over.throwIfAborted()
  let onAbort: (() => void) | undefined
  const end = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(over.reason)
    over.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    // The signal would keep the result in memory as long as the request.
    over.removeEventListener('abort', onAbort as () => void)
  }
}

export const callAborted = () => new Failure('aborted', 'The signal of the call was aborted.')

/** The running calls of a signal, which share one listener, because Node.js warns above ten. */
const callsOfSignals = new WeakMap<AbortSignal, Set<AbortController>>()

function abortCalls(this: AbortSignal): void {
  for (const call of callsOfSignals.get(this) as Set<AbortController>) call.abort(callAborted())
}

function addCall(signal: AbortSignal, call: AbortController): void {
  // A signal takes the same listener once.
  signal.addEventListener('abort', abortCalls)
  callsOfSignals.set(signal, (callsOfSignals.get(signal) ?? new Set()).add(call))
}

function removeCall(signal: AbortSignal, call: AbortController): void {
  const calls = callsOfSignals.get(signal) as Set<AbortController>
  calls.delete(call)
  // Node.js keeps a signal of `AbortSignal.any` in memory as long as it has a listener.
  if (calls.size === 0) signal.removeEventListener('abort', abortCalls)
}

/**
 * Runs work with a deadline of its own.
 *
 * @param timeout milliseconds
 * @param signals the first signal that aborts ends the work with a Failure of the kind `aborted`
 */
export async function withinDeadline<Result>(
  timeout: number,
  signals: readonly AbortSignal[],
  work: (deadline: Deadline) => Promise<Result>
): Promise<Result> {
  const end = new AbortController()
  const endsAt = performance.now() + timeout
  const timer = setTimeout(() => end.abort(new Failure('timeout', 'The deadline passed.')), timeout)
  for (const signal of signals) {
    if (signal.aborted) end.abort(callAborted())
    addCall(signal, end)
  }
  const deadline: Deadline = {
    timeLeft: () => (end.signal.aborted ? 0 : endsAt - performance.now()),
    over: end.signal
  }
  try {
    return await race(end.signal, () => work(deadline))
  } finally {
    clearTimeout(timer)
    for (const signal of signals) removeCall(signal, end)
  }
}
