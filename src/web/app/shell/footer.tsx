import { lazy, Suspense } from 'react'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'
import { noBreakCity } from '../../ui/no-break-city.ts'
import { ContactItems, LinkItems } from './footer-items.tsx'

/** Signed-in users navigate with the header, so the footer of their screens is one line (LOOK-12). */
const signedInPath = /^\/(admin(?!\/login)|application|dashboard|lease|messages|payment|review|stay)(\/|$)/

const FooterLine = lazy(() => import('./footer-line.tsx').then(m => ({ default: m.FooterLine })))

export function Footer({ path }: { path: string }) {
  const width = path.startsWith('/admin') ? 'max-w-admin' : 'max-w-6xl'
  return (
    <footer className="mt-auto bg-navy-dark text-white/85 print:hidden">
      {signedInPath.test(path) ? (
        <Suspense fallback={<div className="min-h-24 sm:min-h-14" />}>
          <FooterLine width={width} />
        </Suspense>
      ) : (
        <FullFooter width={width} />
      )}
    </footer>
  )
}

function FullFooter({ width }: { width: string }) {
  const site = useSite()
  const session = useSession()
  const hasStreet = site?.opening === 'open' || session.status === 'authenticated'
  const address = site && (hasStreet ? site.propertyAddress : site.town)
  return (
    <>
      <div
        className={`mx-auto grid gap-8 px-4 py-10 sm:px-6 md:grid-cols-[1fr_auto_auto] md:gap-x-12 lg:gap-x-20 ${width}`}
      >
        <div className="min-h-20">
          <p className="font-display text-xl text-white">{site?.propertyName}</p>
          <p className="mt-2 max-w-xs">{address && noBreakCity(address)}</p>
        </div>
        <nav aria-label="Quick links">
          <h2 className="font-semibold text-white">Quick links</h2>
          <ul className="mt-2 grid grid-flow-col grid-cols-2 grid-rows-4 gap-x-6 lg:gap-x-12">
            <LinkItems
              links={[
                ['Home', paths.home],
                ['Apply Now', applyPath(session)],
                ['Tenant Portal', paths.login],
                ['Contact Us', paths.contact],
                ['Admin Login', paths.adminLogin],
                ['Privacy Policy', paths.privacy],
                ['Terms of Service', paths.terms],
              ]}
            />
          </ul>
        </nav>
        <div className="min-h-20 wrap-anywhere md:min-w-44 md:max-w-64">
          <h2 className="font-semibold text-white">Contact</h2>
          <ul className="mt-2">
            <ContactItems />
          </ul>
        </div>
      </div>
      <p className="border-t border-white/15 px-4 py-4 text-center text-[0.9375rem]">{site?.companyName}</p>
    </>
  )
}
