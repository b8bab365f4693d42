import { Link } from 'wouter'
import type { Outputs } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type PlanNotice = Outputs['plans']['due']['notices'][number]

/** What the notice board says about payment plans and bank payments. */
export function PlanNotices({ notices }: { notices: readonly PlanNotice[] }) {
  if (notices.length === 0) return null
  return (
    <section aria-label="Notices" className="grid gap-2.5">
      {notices.map(notice => (
        <Notice
          key={notice.id}
          tone={notice.tone}
          title={notice.title}
          className="py-3"
          action={<NoticeLink id={notice.id} />}
        >
          <p className="text-[0.9375rem] wrap-anywhere">{notice.detail}</p>
        </Notice>
      ))}
    </section>
  )
}

const overdue = 'plan-overdue-'

/** Where something can be done about it; its id says what it is about. */
function NoticeLink({ id }: Pick<PlanNotice, 'id'>) {
  if (id.startsWith(overdue))
    return <OpenLink href={paths.adminApplication(id.slice(overdue.length))}>Open application</OpenLink>
  if (id === 'bank-refused') return <OpenLink href={paths.adminSetup}>Open Setup</OpenLink>
  return null
}

function OpenLink({ children, href }: { children: string; href: string }) {
  return (
    <Button asChild size="sm" variant="secondary">
      <Link href={href}>{children}</Link>
    </Button>
  )
}
