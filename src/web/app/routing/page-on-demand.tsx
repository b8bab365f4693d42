import { type ComponentType, useEffect, useState } from 'react'
import type { Utils } from '../../api/api.ts'
import { type Code, codeOnDemand } from '../../ui/on-demand.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** Asks for the data that a page shows first. */
type Prefetch = (utils: Utils) => void

/**
 * A page whose code is loaded when it is first shown. React's `lazy` would show it later: after a fallback, React waits
 * 300 ms before it shows what has come. Code and data of the first page are asked for while the session is checked.
 */
export function pageOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  prefetch?: Prefetch,
) {
  const code = codeOnDemand(load)
  const prepare = (utils: Utils) => {
    code.load().catch(() => undefined)
    prefetch?.(utils)
  }
  return Object.assign((props: Props) => <PageOnDemand code={code} props={props} />, {
    load: code.load,
    prepare,
  })
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
