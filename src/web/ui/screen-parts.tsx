import { createContext, type ReactNode, use, useCallback, useEffect, useId, useRef, useState } from 'react'
import { ErrorState } from './error-state.tsx'

type Part = { isFailed: boolean; retry: () => void }
type Report = (id: string, part: Part | undefined) => void
const ReportContext = createContext<Report | undefined>(undefined)

/** Reports to the screen whether one of its parts failed to load. */
export function useScreenPart(query: { data: unknown; isError: boolean; refetch: () => unknown }): void {
  const report = use(ReportContext)
  const id = useId()
  const latest = useRef(query)
  latest.current = query
  const isFailed = query.isError && query.data === undefined
  useEffect(() => {
    report?.(id, { isFailed, retry: () => void latest.current.refetch() })
    return () => report?.(id, undefined)
  }, [report, id, isFailed])
}

/** A screen in parts. If several failed to load and no other, one message takes their place (LOOK-76). */
export function ScreenParts({ children }: { children: ReactNode }) {
  const [parts, setParts] = useState<ReadonlyMap<string, Part>>(new Map())
  const report = useCallback<Report>((id, part) => {
    setParts(before => {
      const changed = new Map(before)
      if (part) changed.set(id, part)
      else changed.delete(id)
      return changed
    })
  }, [])
  const all = [...parts.values()]
  const isFailed = all.length > 1 && all.every(part => part.isFailed)
  return (
    <ReportContext value={report}>
      {isFailed && (
        <ErrorState
          message="This page could not be loaded."
          onRetry={() => {
            for (const { retry } of all) retry()
          }}
          className="min-h-[50vh] justify-center"
        />
      )}
      {/* Hidden, not removed: its parts are what is tried again. */}
      <div className={isFailed ? 'hidden' : 'contents'}>{children}</div>
    </ReportContext>
  )
}
