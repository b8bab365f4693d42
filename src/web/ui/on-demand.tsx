import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { toast } from './toast.ts'

type Options = { onClose?: () => void; fallback?: ReactNode }

/**
 * A dialog whose code is loaded when it is first shown, so that a screen does not load code for unopened dialogs.
 * Spread `preloadProps` on the button that opens the dialog to preload the code on hover or focus. If loading fails, a
 * message is shown and the dialog closes. If the component is part of the page rather than a dialog, pass a `fallback`
 * to show while its code loads.
 */
export function dialogOnDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const code = codeOnDemand(load)
  const preload = () => void code.load().catch(() => undefined)
  return Object.assign(
    ({ fallback = null, ...props }: Props & Options) => (
      <DialogOnDemand
        code={code}
        props={props as unknown as Props}
        onClose={props.onClose}
        fallback={fallback}
      />
    ),
    { preloadProps: { onPointerEnter: preload, onFocus: preload } },
  )
}

/**
 * A part of the page whose code is loaded when it is first shown, or earlier by `load`. If loading fails, it throws to
 * the error boundary. Unlike React's `lazy` it appears as soon as its code is loaded: React shows a Suspense fallback
 * for at least 300 ms.
 */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode,
) {
  const code = codeOnDemand(load)
  return Object.assign(
    (props: Props & { fallback?: ReactNode }) => (
      <PartOnDemand code={code} props={props} fallback={props.fallback ?? fallback} />
    ),
    { load: code.load },
  )
}

type Code<Part> = { loaded: () => Part | undefined; load: () => Promise<Part> }

/** Loads the code once; retries only after a failure. */
function codeOnDemand<Part>(load: () => Promise<Part>): Code<Part> {
  let part: Part | undefined
  let loading: Promise<Part> | undefined
  return {
    loaded: () => part,
    load: async () => {
      loading ??= load()
      try {
        part = await loading
        return part
      } catch (error) {
        loading = undefined
        throw error
      }
    },
  }
}

function useCode<Part>({ load, loaded }: Code<Part>, onFailure: (error: unknown) => void): Part | undefined {
  const [part, setPart] = useState(loaded)
  const fail = useEffectEvent(onFailure)
  useEffect(() => {
    let isShown = true
    load().then(
      found => isShown && setPart(() => found),
      error => isShown && fail(error),
    )
    return () => {
      isShown = false
    }
  }, [load])
  return part
}

type PartProps<Props> = { code: Code<ComponentType<Props>>; props: Props; fallback: ReactNode }

function PartOnDemand<Props extends object>({ code, props, fallback }: PartProps<Props>) {
  const [failure, setFailure] = useState<{ error: unknown }>()
  const Part = useCode(code, error => setFailure({ error }))
  if (failure) throw failure.error
  return Part ? <Part {...props} /> : fallback
}

type DialogProps<Props> = PartProps<Props> & { onClose: (() => void) | undefined }

function DialogOnDemand<Props extends object>({ code, props, onClose, fallback }: DialogProps<Props>) {
  const Dialog = useCode(code, () => {
    toast.error('This part of the page could not be loaded. Please try again.')
    onClose?.()
  })
  return Dialog ? <Dialog {...props} /> : fallback
}
