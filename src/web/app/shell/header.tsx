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
      from="md"
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

/**
 * In /admin, for visitors who are not signed in as an admin. As wide as the admin's header, so that nothing shifts when
 * the session has been checked.
 */
export function AdminLoginHeader() {
  const login = <NavLink href={paths.adminLogin}>Admin Login</NavLink>
  return <Bar home={paths.home} from="md" width="max-w-admin" links={login} />
}

type BarProps = {
  home: string
  /** Null while they are loading; then there is no menu either. */
  links: ReactNode
  /** Links that are in the bar of every width, as icons on phones. */
  primary?: ReactNode
  /** Greets a signed-in user. */
  welcome?: string
  /** Additional actions of a signed-in user. */
  actions?: ReactNode
  width?: string | undefined
  /** The breakpoint from which all items fit; narrower windows show a menu. */
  from: keyof typeof showFrom
}

const showFrom = {
  md: { bar: 'md:flex', menu: 'md:hidden' },
  lg: { bar: 'lg:flex', menu: 'lg:hidden' },
  xl: { bar: 'xl:flex', menu: 'xl:hidden' },
}

export function Bar({ home, links, primary, welcome, actions, width = 'max-w-6xl', from }: BarProps) {
  const site = useSite()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-white/95 backdrop-blur print:hidden">
      <div
        className={`mx-auto flex min-h-16 items-center px-4 sm:px-6 noscript:flex-wrap noscript:py-2 ${width}`}
      >
        <Link href={home} className="mr-auto min-w-0 truncate pr-4 font-display text-xl text-navy">
          {site ? site.propertyName || 'Your new site' : '\u00a0'}
        </Link>
        {/* What is last is moved right by its padding, so that its text ends where the content ends. */}
        <nav
          aria-label="Main"
          className={`hidden items-center gap-1 noscript:flex ${welcome ? '' : '-mr-3'} ${showFrom[from].bar}`}
        >
          {links}
        </nav>
        {primary}
        {welcome && (
          <>
            <Welcome
              text={welcome}
              className={`ml-3 hidden max-w-64 shrink-99 border-l border-line pl-5 noscript:flex ${showFrom[from].bar}`}
            />
            <div className={`-mr-3 ml-3 hidden gap-1 noscript:flex ${showFrom[from].bar}`}>{actions}</div>
          </>
        )}
        {links && (
          <MobileMenu className={`-mr-2.5 ${showFrom[from].menu}`}>
            {welcome && <Welcome text={welcome} className="px-3 py-2" />}
            <nav aria-label="Main" className="flex flex-col">
              {links}
            </nav>
            {actions && (
              <div className="mt-2 flex flex-col items-stretch border-t border-line pt-2">{actions}</div>
            )}
          </MobileMenu>
        )}
      </div>
    </header>
  )
}

/** The same for links and buttons, so that they align. */
export const itemClass =
  'flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold whitespace-nowrap text-navy hover:bg-shell aria-[current=page]:text-lagoon-dark aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8'

type NavLinkProps = {
  href: string
  /** The paths on which the link is marked as current, if there are more than its own. */
  on?: RegExp
  className?: string
  children: ReactNode
}

export function NavLink({ href, on, className = '', children }: NavLinkProps) {
  const [isHere] = useRoute(on ?? href)
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined} className={`${itemClass} ${className}`}>
      {children}
    </Link>
  )
}

/** Shortened before the @ of an email at most, and whole in its title. */
function Welcome({ text, className }: { text: string; className: string }) {
  const at = text.includes('@') ? text.lastIndexOf('@') : text.length
  return (
    <span title={text} className={`flex min-w-0 text-muted ${className}`}>
      <span className="truncate">{text.slice(0, at)}</span>
      {text.slice(at)}
    </span>
  )
}
