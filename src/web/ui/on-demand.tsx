import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

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

type PartProps<Props> = { code: Code<ComponentType<Props>>; props: Props; fallback: ReactNode }

function PartOnDemand<Props extends object>({ code, props, fallback }: PartProps<Props>) {
  const [Part, setPart] = useState(code.loaded)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    let isShown = true
    code.load().then(
      found => isShown && setPart(() => found),
      error => isShown && setFailure({ error }),
    )
    return () => {
      isShown = false
    }
  }, [code])
  if (failure) throw failure.error
  return Part ? <Part {...props} /> : fallback
}
