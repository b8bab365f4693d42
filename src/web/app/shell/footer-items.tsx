import { Link } from 'wouter'
import { useSite } from '../../api/site.ts'

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
