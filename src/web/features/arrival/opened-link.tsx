import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { failureOf } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmailLink, PhoneLink } from '../applications/contact-links.tsx'

/** The token of a mailed link. It is in the URL's fragment, which browsers do not send to servers. */
export const useLinkToken = () => useSyncExternalStore(onFragmentChange, () => window.location.hash.slice(1))

function onFragmentChange(listener: () => void) {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

type OpenedProps<Data> = {
  title: string
  token: string
  open: () => Promise<Data>
  /** How often it is asked for again; once if missing. */
  everyMs?: number
  /** What to do about a dead link. */
  hint?: string
  children: (opened: Data) => ReactNode
}

/** What a link opens; a dead one leads to the owner. */
export function Opened<Data>({
  children,
  everyMs,
  hint = 'Please log in, or write to us.',
  open,
  title,
  token,
}: OpenedProps<Data>) {
  const site = useSite()
  const query = useQuery({
    queryKey: ['link', title, token],
    queryFn: open,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchInterval: everyMs ?? false,
  })
  const failure = query.error ? failureOf(query.error) : undefined
  const isDead = failure?.kind === 'refused' && failure.status === 404
  return (
    <Page title={title} subtitle={site?.propertyName} width="narrow">
      {isDead && site ? (
        <EmptyState
          title="This link is no longer valid"
          hint={hint}
          action={
            <span className="grid gap-1">
              <EmailLink email={site.ownerEmail} />
              <PhoneLink phone={site.ownerPhone} />
            </span>
          }
        />
      ) : (
        <QueryView query={query} loading="Loading..." error="Failed to open this link">
          {opened => <Suspense>{children(opened)}</Suspense>}
        </QueryView>
      )}
    </Page>
  )
}
