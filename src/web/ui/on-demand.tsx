import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { toast } from './toast.ts'

type Options = { onClose?: () => void; fallback?: ReactNode }

/**
 * A dialog whose code is loaded when it is first shown, so that a screen costs no script for what nobody has opened.
 * Give `intent` to the button that opens it: its code is then loaded when the pointer or the focus reaches the button.
 * A dialog that cannot be loaded says so and closes. A part of the page may have a `fallback` while its code is loaded.
 */
export function dialogOnDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const code = codeOnDemand(load)
  const preload = () => void code.load().catch(() => undefined)
  return Object.assign(
    ({ fallback = null, ...props }: Props & Options) => (
      <OnDemand code={code} props={props as unknown as Props} onClose={props.onClose} fallback={fallback} />
    ),
    { intent: { onPointerEnter: preload, onFocus: preload } },
  )
}

export type Code<Part> = { loaded: () => Part | undefined; load: () => Promise<Part> }

/** Loads once, and again only after a failure. */
export function codeOnDemand<Part>(load: () => Promise<Part>): Code<Part> {
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

type OnDemandProps<Props> = {
  code: Code<ComponentType<Props>>
  props: Props
  onClose: (() => void) | undefined
  fallback: ReactNode
}

function OnDemand<Props extends object>({ code, props, onClose, fallback }: OnDemandProps<Props>) {
  const [Dialog, setDialog] = useState(code.loaded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code is loaded once; `onClose` changes with each render.
  useEffect(() => {
    let isShown = true
    code.load().then(
      dialog => isShown && setDialog(() => dialog),
      () => {
        if (!isShown) return
        toast.error('This part of the page could not be loaded. Please try again.')
        onClose?.()
      },
    )
    return () => {
      isShown = false
    }
  }, [code])
  return Dialog ? <Dialog {...props} /> : fallback
}
