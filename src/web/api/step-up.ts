import type { TRPCLink } from '@trpc/client'
import type { AnyRouter } from '@trpc/server'
import { observable, observableToPromise } from '@trpc/server/observable'
import type { StepUpMethod } from '../../domain/common/errors.ts'
import { isCallError } from './failures.ts'

/** A prompt to confirm one's identity, with the methods that the server offers. */
export type StepUpPrompt = {
  methods: readonly StepUpMethod[]
  /** The element that had the focus when the refused call was made. */
  opener: Element | null
}
/** Resolves to true if the person proved their identity, false if they canceled. Rejects if the session ended. */
type ShowPrompt = (prompt: StepUpPrompt) => Promise<boolean>

/** How often one call prompts: a second time if the server does not accept the first proof. */
const maxPrompts = 2

let showPrompt: ShowPrompt | undefined
/** The open prompt, or the last one. */
let latest: { isOpen: boolean; answer: Promise<boolean> } | undefined

/**
 * Registers the handler that shows the prompt, and returns a function that removes it. Without a handler the refusal is
 * returned.
 */
export function registerStepUpHandler(by: ShowPrompt): () => void {
  showPrompt = by
  return () => {
    if (showPrompt === by) showPrompt = undefined
  }
}

/**
 * Sends a call. If the server requires a step-up, prompts for it and then sends the call again. Calls that are refused
 * while a prompt is open, or that were sent before it was answered, share its result. Rejects with the refusal if the
 * person cancels.
 */
export async function withStepUp<Output>(send: () => Promise<Output>): Promise<Output> {
  const opener = typeof document === 'undefined' ? null : document.activeElement
  for (let prompts = 0; ; prompts++) {
    const answeredBefore = latest?.isOpen ? undefined : latest
    try {
      return await send()
    } catch (error) {
      const methods = stepUpMethodsOf(error)
      if (!methods || prompts === maxPrompts) throw error
      if (latest === answeredBefore) open({ methods, opener })
      if (!(await latest?.answer)) throw error
    }
  }
}

function open(prompt: StepUpPrompt): void {
  const answer = showPrompt ? showPrompt(prompt) : Promise.resolve(false)
  const opened = { isOpen: true, answer }
  const close = () => {
    opened.isOpen = false
  }
  answer.then(close, close)
  latest = opened
}

/** The step-up methods, if a refusal requires a step-up. */
export function stepUpMethodsOf(error: unknown): readonly StepUpMethod[] | undefined {
  return isCallError(error) ? error.data?.stepUp : undefined
}

/** Adds the step-up to all API calls except the step-up call itself. */
export const stepUpLink =
  <Router extends AnyRouter>(): ReturnType<TRPCLink<Router>> =>
  ({ op, next }) =>
    op.path === 'factors.stepUp'
      ? next(op)
      : observable(observer => {
          withStepUp(() => observableToPromise(next(op))).then(
            answer => {
              observer.next(answer)
              observer.complete()
            },
            error => observer.error(error),
          )
        })
