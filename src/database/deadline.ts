/** Ends work at a deadline, or when its reader leaves. */
import { setMaxListeners } from 'node:events'
import { Failure } from '../errors/failure.js'

export interface Deadline {
  /** Milliseconds. 0 or less after the deadline. */
  timeLeft(): number
  /** Aborts at the deadline, and when the reader leaves. */
  readonly over?: AbortSignal | undefined
  /** Called with each thing that the request begins to wait for. */
  readonly onWait?: ((what: 'connection' | 'statement') => void) | undefined
}

export interface RunningDeadline extends Deadline {
  readonly over: AbortSignal
  /** Ends the work before the deadline. */
  end(reason: Failure): void
  close(): void
}

export function startDeadline(milliseconds: number): RunningDeadline {
  const controller = new AbortController()
  const endsAt = performance.now() + milliseconds
  const end = (reason: Failure) => {
    clearTimeout(timer)
    controller.abort(reason)
  }
  const timer = setTimeout(() => end(deadlinePassed()), milliseconds)
  return {
    timeLeft: () => (controller.signal.aborted ? 0 : endsAt - performance.now()),
    over: controller.signal,
    end,
    close: () => clearTimeout(timer)
  }
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

export const deadlinePassed = () => new Failure('timeout', 'The deadline passed.')

export const callAborted = () => new Failure('aborted', 'The signal of the call was aborted.')

/** `timeout` is in milliseconds. The first signal that aborts ends the work with a Failure of the kind `aborted`. */
export async function withinDeadline<Result>(
  timeout: number,
  signals: readonly AbortSignal[],
  work: (deadline: Deadline) => Promise<Result>
): Promise<Result> {
  const deadline = startDeadline(timeout)
  const abort = () => deadline.end(callAborted())
  for (const signal of signals) {
    if (signal.aborted) abort()
    // Each call of a signal adds a listener, and Node.js warns above ten.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', abort)
  }
  try {
    return await race(deadline.over, () => work(deadline))
  } finally {
    deadline.close()
    // Node.js keeps a signal of `AbortSignal.any` in memory as long as it has a listener.
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
}
