import { LogOut, Settings } from 'lucide-react'
import { openSettings } from '../../routing/open-settings.ts'
import { paths } from '../../routing/paths.ts'
import type { User } from '../../session/session.tsx'
import { useSignOut } from '../../session/use-sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Bar, NavLink } from './header.tsx'

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
      actions={<AccountActions />}
      welcome={`Welcome, ${user.firstName || user.email}`}
    />
  )
}

/** In /admin, for admins. */
export function AdminHeader({ user }: { user: User }) {
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
      actions={<AccountActions />}
      welcome={`Welcome, ${user.firstName || user.email}`}
      crowded
    />
  )
}

function AccountActions() {
  const signOut = useSignOut()
  return (
    <>
      <Button variant="ghost" onClick={() => openSettings('password')}>
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
