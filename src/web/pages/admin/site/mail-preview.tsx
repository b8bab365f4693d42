import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Outputs } from '../../../api/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { WordingBody } from './wording/use-wording.ts'

type MailPreviewProps = {
  preview: MailPreviewState
  /** Whether the typed wording has errors; they are shown at its fields. */
  hasErrors: boolean
}

/** Shows how the e-mail will look, with sample data. */
export function MailPreview({ preview, hasErrors }: MailPreviewProps) {
  const { data, error, refetch } = preview
  return (
    <section aria-label="How the e-mail will look" className="grid grid-cols-1 gap-3 lg:sticky lg:top-20">
      <div>
        <h3 className="font-semibold text-navy">How the e-mail will look</h3>
        <p role="status" className="text-[0.9375rem] text-muted">
          {hasErrors ? 'As it was before: correct the marked fields to see your words.' : 'With sample data.'}
        </p>
      </div>
      {data ? (
        <Mail {...data} />
      ) : error && !hasErrors ? (
        <ErrorState message="Failed to load the preview" onRetry={() => void refetch()} />
      ) : (
        !hasErrors && <Skeleton className="h-128" />
      )}
    </section>
  )
}

function Mail({ html = '', subject = '', text }: Outputs['wordings']['preview']) {
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <p className="border-b border-line bg-white px-4 py-2.5 wrap-anywhere">
        <span className="text-muted">Subject: </span>
        <strong className="font-semibold text-navy">{subject}</strong>
      </p>
      <iframe
        title="The mail"
        // No scripts, no forms, and no working links.
        sandbox=""
        srcDoc={html.replace('<head>', '<head><base target="_blank">')}
        className="block h-128 w-full border-0 bg-shell"
      />
      <details className="border-t border-line bg-white px-4 py-1">
        <summary className="w-fit cursor-pointer py-1.5 text-[0.9375rem] font-semibold text-lagoon-dark">
          As plain text
        </summary>
        <p className="pb-3 text-[0.9375rem] wrap-anywhere whitespace-pre-wrap">{text}</p>
      </details>
    </div>
  )
}

const debounceMs = 1_000

/**
 * The preview of an e-mail with the typed wording, fetched one second after the last change. The previous preview is
 * kept while the next one loads.
 */
export function useMailPreview(kind: string, body: WordingBody) {
  const { client } = api.useUtils()
  const debounced = useDebounced(JSON.stringify(body))
  const query = useQuery({
    queryKey: ['mail-preview', kind, debounced],
    queryFn: () => client.wordings.preview.mutate({ kind, body: JSON.parse(debounced) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const [last, setLast] = useState(query.data)
  if (query.data && query.data !== last) setLast(query.data)
  return { error: query.error, data: query.data ?? last, refetch: query.refetch }
}

/** The text, debounced by one second. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

type MailPreviewState = ReturnType<typeof useMailPreview>
