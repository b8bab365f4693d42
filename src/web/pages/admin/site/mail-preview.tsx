import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Outputs } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const debounceMs = 1_000

type MailPreviewProps = { kind: string; body: Record<string, string> }

/** Shows how the email will look, with sample data, a second after the last change. */
export function MailPreview({ kind, body }: MailPreviewProps) {
  const { client } = api.useUtils()
  const debounced = useDebounced(JSON.stringify(body))
  const { data, error, refetch } = useQuery({
    queryKey: ['mail-preview', kind, debounced],
    queryFn: () => client.wordings.preview.mutate({ kind, body: JSON.parse(debounced) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  // The last preview stays while the typed words are wrong, or the next one loads.
  const [last, setLast] = useState(data)
  if (data && data !== last) setLast(data)
  const shown = data ?? last
  const failure = error ? failureOf(error) : undefined
  const refusal = failure?.kind === 'refused' ? failure.message : undefined
  return (
    <section aria-label="How the email will look" className="grid grid-cols-1 gap-3 lg:sticky lg:top-20">
      <div>
        <h3 className="font-semibold text-navy">How the email will look</h3>
        <p role="status" className="text-[0.9375rem] text-muted">
          {refusal ? `As it was before: ${refusal}` : 'With sample data.'}
        </p>
      </div>
      {shown ? (
        <div className="overflow-hidden rounded-card border border-line">
          <p className="border-b border-line bg-white px-4 py-2.5 wrap-anywhere">
            <span className="text-muted">Subject: </span>
            <strong className="font-semibold text-navy">{shown.subject}</strong>
          </p>
          <iframe
            title="The mail"
            // No scripts, no forms, and no working links.
            sandbox=""
            srcDoc={shown.html?.replace('<head>', '<head><base target="_blank">')}
            className="block h-128 w-full border-0 bg-shell"
          />
        </div>
      ) : error ? (
        <ErrorState message="Failed to load the preview" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-128" />
      )}
    </section>
  )
}

/** The text, debounced. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

export type Wording = Outputs['wordings']['get']['wording']
/** A lease has a text; a mail has subject, title, greeting, text, next and button. */
export type WordingBody = Wording['body']

/** The fields in which two wordings differ. */
export const wordingChanges = (from: WordingBody, to: WordingBody) =>
  Object.keys(from)
    .filter(field => from[field] !== to[field])
    .map(path => ({ path, before: from[path] ?? '', after: to[path] ?? '' }))
