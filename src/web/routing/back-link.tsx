import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from './paths.ts'

/** The link above a page's title. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="-my-1 inline-flex min-h-11 items-center gap-1.5 link">
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  )
}

/** Links to the application that a screen is limited to, or by default to the tenant's dashboard. */
export function BackToApplication({ id }: { id: string | undefined }) {
  return id ? (
    <BackLink href={paths.application(id)}>Back to Application</BackLink>
  ) : (
    <BackLink href={paths.dashboard}>Back to Dashboard</BackLink>
  )
}
