import { paths } from '../../routing/paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { ContactItems, LinkItems } from './footer-items.tsx'

/** The footer of signed-in screens. */
export function FooterLine({ width }: { width: string }) {
  return (
    <div
      className={classNames(
        'mx-auto flex min-h-14 flex-wrap content-center items-center justify-between gap-x-8 px-4 text-[0.9375rem] max-sm:min-h-24 sm:px-6',
        width,
      )}
    >
      <ul className="flex flex-wrap gap-x-6 max-sm:w-full max-sm:justify-between">
        <ContactItems />
      </ul>
      <nav aria-label="Quick links" className="max-sm:grow">
        <ul className="flex justify-between gap-x-4 sm:gap-x-6">
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
