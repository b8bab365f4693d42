import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { failureOf } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { EmailLink, PhoneLink } from '../../features/applications/contact-links.tsx'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'

function onFragmentChange(listener: () => void) {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

type OpenedLinkProps<Data> = {
  title: string
  /** The title of what was opened, where it is another one. */
  titleOf?: (opened: Data) => string | undefined
  open: (token: string) => Promise<Data>
  /** How often it is asked for again; once if missing. */
  everyMs?: number
  /** What to do about a dead link, instead of logging in. */
  hint?: string
  failed?: string
  children: (opened: Data, token: string) => ReactNode
}

/**
 * What a mailed link opens; a dead one leads to the owner. The token is in the URL's fragment, which browsers do not send
 * to servers.
 */
export function OpenedLink<Data>({
  children,
  everyMs,
  failed = 'Failed to open this link',
  hint,
  open,
  title,
  titleOf,
}: OpenedLinkProps<Data>) {
  const token = useSyncExternalStore<string | undefined>(
    onFragmentChange,
    () => window.location.hash.slice(1),
    () => undefined,
  )
  const site = useSite()
  const query = useQuery({
    queryKey: ['link', title, token],
    queryFn: () => open(token ?? ''),
    // Unknown while the server renders, because the fragment is not sent to it.
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchInterval: everyMs ?? false,
  })
  const failure = query.error ? failureOf(query.error) : undefined
  const isDead = failure?.kind === 'refused' && failure.status === 404
  return (
    <Page
      title={isDead ? 'This link is no longer valid' : ((query.data && titleOf?.(query.data)) ?? title)}
      subtitle={site?.propertyName}
      width="narrow"
    >
      {isDead && site ? (
        <Card>
          <EmptyState
            title={hint ?? 'Please log in, or write to us.'}
            action={
              <span className="grid justify-items-center gap-1">
                {!hint && (
                  <Button asChild className="mb-3">
                    <Link href={paths.login}>Log in</Link>
                  </Button>
                )}
                <EmailLink email={site.ownerEmail} />
                <PhoneLink phone={site.ownerPhone} />
              </span>
            }
          />
        </Card>
      ) : (
        <QueryView query={query} loading="Loading..." error={failed}>
          {opened => children(opened, token ?? '')}
        </QueryView>
      )}
    </Page>
  )
}
