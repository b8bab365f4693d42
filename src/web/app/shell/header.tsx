import { LogOut, Settings } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useRoute } from 'wouter'
import { useSite } from '../../api/site.ts'
import { onOpenSettings, type SettingsTab } from '../../routing/open-settings.ts'
import { paths } from '../../routing/paths.ts'
import { applyPath } from '../../session/apply-path.ts'
import { type User, useSession } from '../../session/session.tsx'
import { useSignOut } from '../../session/use-sign-out.ts'
import { MobileMenu } from '../../ui/mobile-menu.tsx'

const SettingsDialog = lazy(() => import('./settings-dialog.tsx').then(m => ({ default: m.SettingsDialog })))

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

/** Outside /admin, for signed-in users. */
export function SignedInHeader({ user }: { user: User }) {
  return (
    <Bar
      home={paths.home}
      links={
        user.role === 'admin' ? (
          <NavLink href={paths.adminDashboard}>Admin Dashboard</NavLink>
        ) : (
          <>
            <NavLink href={paths.dashboard}>Dashboard</NavLink>
            <NavLink href={paths.newApplication}>Application</NavLink>
            <NavLink href={paths.contact}>Contact</NavLink>
          </>
        )
      }
      welcome={`Welcome, ${user.firstName || user.email}`}
      from="lg"
    />
  )
}

export function AdminHeader() {
  const session = useSession()
  // As wide as for the owner, so that nothing moves once the server has said who this is.
  if (session.status !== 'authenticated' || session.user.role !== 'admin') {
    const login = <NavLink href={paths.adminLogin}>Admin Login</NavLink>
    return <Bar home={paths.home} from="md" width="max-w-desk" links={login} />
  }
  return (
    <Bar
      home={paths.adminDashboard}
      width="max-w-desk"
      links={
        <>
          <NavLink href={paths.adminDashboard}>Dashboard</NavLink>
          <NavLink href={paths.adminRevenue}>Revenue</NavLink>
          <NavLink href={paths.adminRates}>Rates</NavLink>
          <NavLink href={paths.adminAvailability}>Availability</NavLink>
          <NavLink href={paths.adminSite} below>
            Site
          </NavLink>
          <NavLink href={paths.adminSetup}>Setup</NavLink>
        </>
      }
      welcome={`Welcome, ${session.user.firstName || session.user.email}`}
      from="xl"
    />
  )
}

type BarProps = {
  home: string
  links: ReactNode
  /** Greets a signed-in user; without it there are no settings and no logout. */
  welcome?: string
  width?: string
  /** The width of window from which on all items fit; on narrower ones they are a menu. */
  from: keyof typeof showFrom
}

const showFrom = {
  md: { bar: 'md:flex', menu: 'md:hidden' },
  lg: { bar: 'lg:flex', menu: 'lg:hidden' },
  xl: { bar: 'xl:flex', menu: 'xl:hidden' },
}

function Bar({ home, links, welcome, width = 'max-w-6xl', from }: BarProps) {
  const site = useSite()
  // Undefined until first opened, so that its code is loaded only then.
  const [settings, setSettings] = useState<{ tab: SettingsTab; open: boolean }>()
  useEffect(() => onOpenSettings(tab => setSettings({ tab, open: true })), [])
  const actions = welcome && (
    <AccountActions onSettings={() => setSettings({ tab: 'password', open: true })} />
  )
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-white/95 backdrop-blur print:hidden">
      <div
        className={`mx-auto flex min-h-16 items-center px-4 sm:px-6 noscript:flex-wrap noscript:py-2 ${width}`}
      >
        <Link href={home} className="mr-auto min-w-0 truncate pr-4 font-display text-xl text-navy">
          {site?.propertyName ?? '\u00a0'}
        </Link>
        {/* As far to the right as the last item is padded, so that its text ends where the content ends. */}
        <div className={`-mr-3 hidden min-w-0 items-center noscript:flex ${showFrom[from].bar}`}>
          <nav aria-label="Main" className="flex items-center gap-1">
            {links}
          </nav>
          {welcome && (
            <>
              <span className="ml-3 max-w-54 min-w-0 truncate border-l border-line pl-6 text-muted">
                {welcome}
              </span>
              <div className="ml-3 flex items-center gap-1">{actions}</div>
            </>
          )}
        </div>
        <MobileMenu className={`-mr-2.5 ${showFrom[from].menu}`}>
          {welcome && <span className="truncate px-3 py-2 text-muted">{welcome}</span>}
          <nav aria-label="Main" className="flex flex-col">
            {links}
          </nav>
          {actions && (
            <div className="mt-2 flex flex-col items-stretch border-t border-line pt-2">{actions}</div>
          )}
        </MobileMenu>
      </div>
      {settings && (
        <Suspense>
          <SettingsDialog {...settings} onOpenChange={open => setSettings({ ...settings, open })} />
        </Suspense>
      )}
    </header>
  )
}

function AccountActions({ onSettings }: { onSettings: () => void }) {
  const signOut = useSignOut()
  return (
    <>
      <button type="button" onClick={onSettings} className={itemClass}>
        <Settings aria-hidden className="size-4.5 text-muted" />
        Settings
      </button>
      <button type="button" onClick={() => void signOut()} className={itemClass}>
        <LogOut aria-hidden className="size-4.5 text-muted" />
        Logout
      </button>
    </>
  )
}

/** Links and buttons alike, so that they share one line. */
const itemClass =
  'flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold whitespace-nowrap text-navy hover:bg-shell aria-[current=page]:text-lagoon-dark aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-8'

type NavLinkProps = {
  href: string
  /** Whether screens below this path belong to it. */
  below?: boolean
  children: ReactNode
}

function NavLink({ href, below = false, children }: NavLinkProps) {
  const [isHere] = useRoute(below ? `${href}/*?` : href)
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined} className={itemClass}>
      {children}
    </Link>
  )
}
