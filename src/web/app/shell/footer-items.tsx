import { Link } from 'wouter'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'

/** The links that the customer's specification gives the footer. */
export function QuickLinks() {
  return (
    <LinkItems
      links={[
        ['Home', paths.home],
        ['Apply Now', applyPath(useSession())],
        ['Tenant Portal', paths.login],
        ['Contact Us', paths.contact],
        ['Admin Login', paths.adminLogin],
        ['Privacy Policy', paths.privacy],
        ['Terms of Service', paths.terms],
      ]}
    />
  )
}

export function LinkItems({ links }: { links: [label: string, href: string][] }) {
  return links.map(([label, href]) => (
    <li key={label}>
      <Link href={href} className={`${linkClass} whitespace-nowrap`}>
        {label}
      </Link>
    </li>
  ))
}

export function ContactItems() {
  const site = useSite()
  if (!site) return null
  const { ownerEmail, ownerPhone } = site
  return (
    <>
      {ownerEmail && (
        <li>
          <a href={`mailto:${ownerEmail}`} className={linkClass}>
            {ownerEmail}
          </a>
        </li>
      )}
      {ownerPhone && (
        <li>
          <a href={`tel:${ownerPhone.replaceAll(/[^\d+]/g, '')}`} className={linkClass}>
            {ownerPhone}
          </a>
        </li>
      )}
    </>
  )
}

const linkClass =
  'inline-block py-1 underline-offset-4 hover:text-white hover:underline focus-visible:outline-white!'
