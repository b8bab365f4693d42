import { Link } from 'wouter'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { EmailLink, PhoneLink } from './template-text.tsx'

/** What visitors see instead of every public page until the owner opens the site, and while it is closed. */
export function OpeningPage() {
  const site = useSite()
  if (!site) return null
  const { companyName, opening, ownerEmail, ownerPhone, propertyName, town } = site
  return (
    <main
      id="main"
      className="mx-auto flex min-h-dvh max-w-xl flex-col items-center justify-center gap-6 px-4 py-16 text-center wrap-anywhere"
    >
      <p className="text-sm font-semibold tracking-[0.12em] text-lagoon-dark uppercase">
        {opening === 'closed' ? 'Closed for now' : 'Opening soon'}
      </p>
      <h1 className="font-display text-4xl text-navy sm:text-5xl">
        {propertyName || companyName || 'A new site'}
      </h1>
      <p className="text-lg text-muted">{[town, propertyName && companyName].filter(Boolean).join(' · ')}</p>
      <p className="flex flex-wrap justify-center gap-x-6 gap-y-2">
        {ownerEmail && <EmailLink email={ownerEmail} />}
        {ownerPhone && <PhoneLink phone={ownerPhone} />}
      </p>
      <p className="mt-6 text-[0.9375rem] text-muted">
        Already a guest?{' '}
        <Link href={paths.login} className="link">
          Log in
        </Link>
      </p>
    </main>
  )
}
