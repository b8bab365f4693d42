import { Link } from 'wouter'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'

export function Footer() {
  const site = useSite()
  const links: [label: string, href: string][] = [
    ['Home', paths.home],
    ['Apply Now', applyPath(useSession())],
    ['Tenant Portal', paths.login],
    ['Contact Us', paths.contact],
    ['Admin Login', paths.adminLogin],
    ['Privacy Policy', paths.privacy],
    ['Terms of Service', paths.terms],
  ]
  return (
    <footer className="mt-auto bg-navy-dark text-white/85 print:hidden">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:px-6 md:grid-cols-[1.2fr_1fr_1fr]">
        <div className="min-h-20">
          <p className="font-display text-xl text-white">{site?.propertyName}</p>
          <p className="mt-2 max-w-xs">{site?.propertyAddress}</p>
        </div>
        <nav aria-label="Quick links">
          <h2 className="font-semibold text-white">Quick Links</h2>
          <ul className="mt-2 grid grid-cols-2 gap-x-6 md:grid-cols-1">
            {links.map(([label, href]) => (
              <li key={label}>
                <Link href={href} className={linkClass}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-h-20">
          <h2 className="font-semibold text-white">Contact</h2>
          {site && (
            <ul className="mt-2">
              <li>
                <a href={`mailto:${site.ownerEmail}`} className={linkClass}>
                  {site.ownerEmail}
                </a>
              </li>
              <li>
                <a href={`tel:${site.ownerPhone.replaceAll(/[^\d+]/g, '')}`} className={linkClass}>
                  {site.ownerPhone}
                </a>
              </li>
            </ul>
          )}
        </div>
      </div>
      <p className="border-t border-white/15 px-4 py-5 text-center text-[0.9375rem]">{site?.companyName}</p>
    </footer>
  )
}

const linkClass =
  'inline-block py-1 underline-offset-4 hover:text-white hover:underline focus-visible:outline-white!'
