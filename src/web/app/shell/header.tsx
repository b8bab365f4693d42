import type { ReactNode } from 'react'
import { Link, useRoute } from 'wouter'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'
import { MobileMenu } from '../../ui/mobile-menu.tsx'

export function PublicHeader() {
  const session = useSession()
  return (
    <Bar
      home={paths.home}
      links={
        <>
          <NavLink href={paths.home}>Home</NavLink>
          <NavLink href={applyPath(session)}>Apply</NavLink>
          <NavLink href={paths.login}>Login</NavLink>
          <NavLink href={paths.contact}>Contact</NavLink>
        </>
      }
    />
  )
}

/** In /admin, for those who are not signed in as an admin. */
export function AdminLoginHeader() {
  return <Bar home={paths.home} links={<NavLink href={paths.adminLogin}>Admin Login</NavLink>} />
}

type BarProps = {
  home: string
  /** Null while they are loaded: then there is no menu either. */
  links: ReactNode
  /** Greets a signed-in user. */
  welcome?: string
  /** What a signed-in user can do besides. */
  actions?: ReactNode
  /** With many links the bar becomes a menu already on wider windows. */
  crowded?: boolean
}

export function Bar({ home, links, welcome, actions, crowded = false }: BarProps) {
  const site = useSite()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-white/95 backdrop-blur print:hidden">
      <div className="mx-auto flex min-h-16 max-w-6xl items-center gap-x-4 px-4 sm:px-6 noscript:flex-wrap noscript:py-2">
        <Link href={home} className="mr-auto min-w-0 truncate font-display text-xl text-navy">
          {site?.propertyName ?? '\u00a0'}
        </Link>
        <nav
          aria-label="Main"
          className={`hidden items-center gap-1 noscript:flex ${crowded ? 'xl:flex' : 'lg:flex'}`}
        >
          {links}
        </nav>
        {welcome && (
          <span
            className={`hidden truncate text-muted ${crowded ? 'max-w-40 xl:inline' : 'max-w-48 lg:inline'}`}
          >
            {welcome}
          </span>
        )}
        <div className={`hidden items-center ${crowded ? 'xl:flex' : 'lg:flex'}`}>{actions}</div>
        {links && (
          <MobileMenu className={crowded ? 'xl:hidden' : 'lg:hidden'}>
            {welcome && <span className="px-3 py-2 text-muted">{welcome}</span>}
            <nav aria-label="Main" className="flex flex-col">
              {links}
            </nav>
            <div className="flex flex-col items-start">{actions}</div>
          </MobileMenu>
        )}
      </div>
    </header>
  )
}

type NavLinkProps = {
  href: string
  /** Whether screens below this path belong to it. */
  below?: boolean
  children: ReactNode
}

export function NavLink({ href, below = false, children }: NavLinkProps) {
  const [isHere] = useRoute(below ? `${href}/*?` : href)
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className="flex min-h-11 items-center rounded-control px-3 font-semibold text-navy hover:bg-shell aria-[current=page]:text-lagoon-dark aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8"
    >
      {children}
    </Link>
  )
}
