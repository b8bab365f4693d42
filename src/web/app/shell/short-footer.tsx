import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { useSession } from '../../session/session.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ContactItems, LinkItems, QuickLinks } from './footer-items.tsx'

/** Signed-in users navigate with the header, and who opened a link has something to do (LOOK-12). */
const oneLine =
  /^\/(admin(?!\/login)|application|dashboard|lease|messages|offer|payment|reply|review|sign|stay)(\/|$)/

/** The footer of all screens that are not public pages. */
export function ShortFooter({ path }: { path: string }) {
  const isLine = oneLine.test(path)
  return (
    <div
      className={classNames(
        'mx-auto flex min-h-24 flex-wrap content-center items-center justify-between gap-x-6 px-4 text-[0.9375rem] sm:min-h-14 sm:px-6',
        path.startsWith('/admin') ? 'max-w-admin' : 'max-w-6xl',
        !isLine && 'py-4',
      )}
    >
      {!isLine && <Address />}
      <ul className="flex justify-between gap-x-4 max-sm:grow sm:gap-x-6">
        <ContactItems />
      </ul>
      <nav aria-label="Quick links" className={isLine ? 'max-sm:grow' : 'max-sm:w-full'}>
        <ul
          className={classNames(
            'gap-x-4 sm:gap-x-6',
            isLine ? 'flex justify-between' : 'grid grid-cols-2 sm:flex sm:flex-wrap',
          )}
        >
          {isLine ? (
            <LinkItems
              links={[
                ['Contact Us', paths.contact],
                ['Privacy Policy', paths.privacy],
                ['Terms of Service', paths.terms],
              ]}
            />
          ) : (
            <QuickLinks />
          )}
        </ul>
      </nav>
    </div>
  )
}

function Address() {
  const site = useSite()
  const hasStreet = useSession().status === 'authenticated' || site?.opening === 'open'
  return <p className="py-1">{hasStreet ? site?.propertyAddress : site?.town}</p>
}
