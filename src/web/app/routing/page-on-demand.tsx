import { type ComponentType, useEffect, useState } from 'react'
import { type Code, codeOnDemand } from '../../ui/on-demand.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/**
 * A page whose code is loaded when it is first shown, or before by `load`. React's `lazy` would show it later: after a
 * fallback, React waits 300 ms before it shows what has come.
 */
export function pageOnDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const code = codeOnDemand(load)
  return Object.assign((props: Props) => <PageOnDemand code={code} props={props} />, { load: code.load })
}

type PageProps<Props> = { code: Code<ComponentType<Props>>; props: Props }

function PageOnDemand<Props extends object>({ code, props }: PageProps<Props>) {
  const [Page, setPage] = useState(code.loaded)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    let isShown = true
    code.load().then(
      page => isShown && setPage(() => page),
      error => isShown && setFailure({ error }),
    )
    return () => {
      isShown = false
    }
  }, [code])
  if (failure) throw failure.error
  return Page ? <Page {...props} /> : <LoadingPage />
}

/** While a page, or who is signed in, is being loaded. */
export function LoadingPage() {
  return (
    <div className="grid min-h-[50vh] place-items-center">
      <Spinner label="Loading..." />
    </div>
  )
}
