import { paths } from '../../routing/paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { ContactItems, LinkItems } from './footer-items.tsx'

/** The footer of signed-in screens. */
export function FooterLine({ width }: { width: string }) {
  return (
    <div
      className={classNames(
        'mx-auto flex min-h-24 flex-wrap content-center items-center justify-between px-4 text-[0.9375rem] sm:min-h-14 sm:px-6',
        width,
      )}
    >
      <ul className="flex justify-between gap-x-4 max-sm:grow sm:gap-x-6">
        <ContactItems />
      </ul>
      <nav aria-label="Quick links" className="max-sm:grow">
        <ul className="flex justify-between gap-x-4 max-sm:grow sm:gap-x-6">
          <LinkItems
            links={[
              ['Contact Us', paths.contact],
              ['Privacy Policy', paths.privacy],
              ['Terms of Service', paths.terms],
            ]}
          />
        </ul>
      </nav>
    </div>
  )
}
