import { Mail, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRoute } from 'wouter'
import { api } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { onOpenSettings, openSettings, type SettingsTab } from '../../routing/open-settings.ts'
import { paths } from '../../routing/paths.ts'
import type { User } from '../../session/session.tsx'
import { useSignOut } from '../../session/use-sign-out.ts'
import { Bar, itemClass, NavLink } from './header.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

/** For signed-in users outside /admin. */
export function SignedInHeader({ user }: { user: User }) {
  return (
    <>
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
        from="lg"
      />
      <SettingsHost />
    </>
  )
}

/** The screens of an item of the back office: those below these paths. */
const inArea = (...below: string[]) => new RegExp(`^/admin/(${below.join('|')})(/|$)`)

/** For admins in /admin. */
export function AdminHeader({ user }: { user: User }) {
  const hasMessages = useSite()?.forGuests?.includes('messages')
  return (
    <>
      <Bar
        home={paths.adminDashboard}
        width="max-w-admin"
        links={
          <>
            <NavLink
              href={paths.adminDashboard}
              on={inArea('dashboard', 'application', 'payment', 'arrival/.+')}
            >
              Dashboard
            </NavLink>
            <NavLink href={paths.adminRevenue} on={inArea('revenue')}>
              Revenue
            </NavLink>
            <NavLink href={paths.adminRates} on={inArea('rates')}>
              Rates
            </NavLink>
            <NavLink href={paths.adminAvailability} on={inArea('availability', 'offers', 'booking/import')}>
              Availability
            </NavLink>
            <NavLink href={paths.adminSite} on={inArea('site', 'arrival$', 'reviews')}>
              Site
            </NavLink>
          </>
        }
        primary={
          <>
            <NavLink
              href={paths.adminNewBooking}
              className="ml-1 sm:mx-2 sm:min-h-9 sm:border sm:border-line-strong sm:text-[0.9375rem] sm:no-underline! sm:hover:border-navy"
            >
              <Plus aria-hidden className="size-4.5 max-sm:size-6" />
              <span className="max-sm:sr-only">New booking</span>
            </NavLink>
            {hasMessages && (
              <NavLink href={paths.adminMessages} on={inArea('messages')}>
                <UnreadCount />
              </NavLink>
            )}
          </>
        }
        actions={<AccountActions />}
        welcome={`Welcome, ${user.firstName || user.email}`}
        from="xl"
      />
      <SettingsHost />
    </>
  )
}

/** The envelope, with how many messages are unread. */
function UnreadCount() {
  const [isHere] = useRoute(inArea('messages'))
  const { unread = 0 } = api.conversations.unread.useQuery(undefined, { refetchInterval: 30_000 }).data ?? {}
  return (
    <>
      <span className="relative py-2">
        <Mail aria-hidden className="size-5 text-muted" />
        {isHere && <span className="absolute inset-x-0 bottom-0 h-0.5 bg-current" />}
        {unread > 0 && (
          <span className="absolute top-0 left-3 min-w-5 rounded-full bg-lagoon-dark px-1 text-center text-xs leading-5 text-white">
            {unread}
          </span>
        )}
      </span>
      <span className="sr-only">Messages</span>
    </>
  )
}

function AccountActions() {
  const signOut = useSignOut()
  return (
    <>
      <button type="button" onClick={() => openSettings('password')} className={itemClass}>
        Settings
      </button>
      <button type="button" onClick={() => void signOut()} className={itemClass}>
        Logout
      </button>
    </>
  )
}

function SettingsHost() {
  const [tab, setTab] = useState<SettingsTab>()
  useEffect(() => onOpenSettings(setTab), [])
  return tab && <SettingsDialog tab={tab} onClose={() => setTab(undefined)} />
}
