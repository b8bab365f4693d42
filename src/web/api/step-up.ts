import type { TRPCLink } from '@trpc/client'
import type { AnyRouter } from '@trpc/server'
import { observable, observableToPromise } from '@trpc/server/observable'
import type { StepUpMethod } from '../../domain/step-up.ts'
import { isCallError } from './failures.ts'

/** A question to the person to confirm who it is, with the ways that the server offers. */
export type StepUpQuestion = {
  methods: readonly StepUpMethod[]
  /** What had the focus when the refused call was made. */
  opener: Element | null
}
/** Resolves to whether it was proven; false where the person gave up. Rejects with what ended the session. */
type Ask = (question: StepUpQuestion) => Promise<boolean>

/** How often one call waits for a proof: a second time where the first one did not satisfy the server. */
const maxQuestions = 2

let ask: Ask | undefined
/** The question that is open, or that was open last. */
let latest: { isOpen: boolean; answer: Promise<boolean> } | undefined

/** Registers who asks the person. Returns its end; without anybody to ask, a refusal stays one. */
export function answerStepUps(by: Ask): () => void {
  ask = by
  return () => {
    if (ask === by) ask = undefined
  }
}

/**
 * Sends a call and, where the server asks for a proof of who it is, sends it again once there is one. Calls that are
 * refused while a question is open, or that were sent before it was answered, share its answer. Rejects with the
 * refusal where the person gives up.
 */
export async function withStepUp<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const opener = typeof document === 'undefined' ? null : document.activeElement
  for (let questions = 0; ; questions++) {
    const answeredBefore = latest?.isOpen ? undefined : latest
    try {
      return await send()
    } catch (error) {
      const methods = stepUpMethodsOf(error)
      if (!methods || questions === maxQuestions) throw error
      if (latest === answeredBefore) open({ methods, opener })
      if (!(await latest?.answer)) throw error
    }
  }
}

function open(question: StepUpQuestion): void {
  const answer = ask ? ask(question) : Promise.resolve(false)
  const opened = { isOpen: true, answer }
  const close = () => {
    opened.isOpen = false
  }
  answer.then(close, close)
  latest = opened
}

/** The ways to prove who it is, where a refusal asks for that. */
export function stepUpMethodsOf(error: unknown): readonly StepUpMethod[] | undefined {
  return isCallError(error) ? error.data?.stepUp : undefined
}

/** Lets the calls of the api wait for a proof of who it is, but for the one that sends it. */
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
