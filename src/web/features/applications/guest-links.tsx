import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { Card } from '../../ui/card.tsx'

/** A line for each of the pages about an application that the owner has switched on. */
export function GuestLinks({ id, isOwner = false }: { id: string; isOwner?: boolean }) {
  const isOn = useSite()?.forGuests?.includes('messages') ?? false
  const { data } = api.conversations.unread.useQuery(undefined, { enabled: isOn })
  const thread = data?.threads.find(({ applicationId }) => applicationId === id)
  const state = isOwner && thread?.waiting ? 'Waiting for your answer' : unreadText(thread?.unread)
  if (!isOn) return null
  return (
    <Card aria-label="Messages">
      <LinkLine title="Messages" state={state} href={isOwner ? paths.adminThread(id) : paths.messages(id)} />
    </Card>
  )
}

const unreadText = (unread = 0) => (unread > 0 ? `${unread} unread` : '')

function LinkLine({ href, state, title }: { href: string; state: string; title: string }) {
  return (
    <Link href={href} className="flex min-h-13 items-center gap-3 px-5 hover:bg-shell sm:px-6">
      <span className="mr-auto font-semibold text-navy">{title}</span>
      <span className="text-[0.9375rem] text-muted">{state}</span>
      <ChevronRight aria-hidden className="size-4.5 text-muted" />
    </Link>
  )
}
