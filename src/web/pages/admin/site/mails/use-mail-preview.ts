import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../../api/api.ts'
import type { WordingBody } from '../wording/wording-data.ts'

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

export type MailPreviewState = ReturnType<typeof useMailPreview>
