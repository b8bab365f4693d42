import { lazy, Suspense } from 'react'
import { isPublicPath } from '../../../domain/content/public-pages.ts'
import { useSite } from '../../api/site.ts'
import { noBreakCity } from '../../ui/no-break-city.ts'
import { ContactItems, QuickLinks } from './footer-items.tsx'

const ShortFooter = lazy(() => import('./short-footer.tsx').then(m => ({ default: m.ShortFooter })))

/** The public pages have the full one (LOOK-12). */
export function Footer({ path }: { path: string }) {
  return (
    <footer className="mt-auto bg-navy-dark text-white/85 print:hidden">
      {isPublicPath(path) ? (
        <FullFooter />
      ) : (
        <Suspense fallback={<div className="min-h-24 sm:min-h-14" />}>
          <ShortFooter path={path} />
        </Suspense>
      )}
    </footer>
  )
}

function FullFooter() {
  const site = useSite()
  return (
    <>
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:px-6 md:grid-cols-[1fr_auto_auto] md:gap-x-12 lg:gap-x-20">
        <div className="min-h-20">
          <p className="font-display text-xl text-white">{site?.propertyName}</p>
          <p className="mt-2 max-w-xs">{site && noBreakCity(site.propertyAddress)}</p>
        </div>
        <nav aria-label="Quick links">
          <h2 className="font-semibold text-white">Quick links</h2>
          <ul className="mt-2 grid grid-flow-col grid-cols-2 grid-rows-4 gap-x-6 lg:gap-x-12">
            <QuickLinks />
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
