import { LogOut, Settings } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useRoute } from 'wouter'
import { useSite } from '../../api/site.ts'
import { onOpenSettings, type SettingsTab } from '../../routing/open-settings.ts'
import { paths } from '../../routing/paths.ts'
import { applyPath } from '../../session/apply-path.ts'
import { type User, useSession } from '../../session/session.tsx'
import { useSignOut } from '../../session/use-sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { MobileMenu } from '../../ui/mobile-menu.tsx'

const SettingsDialog = lazy(() => import('./settings-dialog.tsx').then(m => ({ default: m.SettingsDialog })))

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
    />
  )
}

export function AdminHeader() {
  const session = useSession()
  if (session.status !== 'authenticated' || session.user.role !== 'admin') {
    return <Bar home={paths.home} links={<NavLink href={paths.adminLogin}>Admin Login</NavLink>} />
  }
  return (
    <Bar
      home={paths.adminDashboard}
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
      crowded
    />
  )
}

type BarProps = {
  home: string
  links: ReactNode
  /** Greets a signed-in user; without it there are no settings and no logout. */
  welcome?: string
  /** With many links the bar becomes a menu already on wider windows. */
  crowded?: boolean
}

function Bar({ home, links, welcome, crowded = false }: BarProps) {
  const site = useSite()
  // Undefined until first opened, so that its code is loaded only then.
  const [settings, setSettings] = useState<{ tab: SettingsTab; open: boolean }>()
  useEffect(() => onOpenSettings(tab => setSettings({ tab, open: true })), [])
  const actions = welcome && (
    <AccountActions onSettings={() => setSettings({ tab: 'password', open: true })} />
  )
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
        <MobileMenu className={crowded ? 'xl:hidden' : 'lg:hidden'}>
          {welcome && <span className="px-3 py-2 text-muted">{welcome}</span>}
          <nav aria-label="Main" className="flex flex-col">
            {links}
          </nav>
          <div className="flex flex-col items-start">{actions}</div>
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
      <Button variant="ghost" onClick={onSettings}>
        <Settings aria-hidden />
        Settings
      </Button>
      <Button variant="ghost" onClick={() => void signOut()}>
        <LogOut aria-hidden />
        Logout
      </Button>
    </>
  )
}

type NavLinkProps = {
  href: string
  /** Whether screens below this path belong to it. */
  below?: boolean
  children: ReactNode
}

function NavLink({ href, below = false, children }: NavLinkProps) {
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
