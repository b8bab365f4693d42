import type { ComponentProps } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { LinkTabs } from '../../routing/link-tabs.tsx'
import { paths } from '../../routing/paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Page } from '../../ui/page.tsx'
import { ScreenParts } from '../../ui/screen-parts.tsx'

/** The screens of an area: the title of all of them, and its tabs by path. */
const areas = {
  revenue: {
    title: 'Revenue Dashboard',
    tabs: {
      [paths.adminRevenue]: 'Revenue',
      [paths.adminDue]: 'Due',
      [`${paths.adminRevenue}/deposits`]: 'Deposits',
      [`${paths.adminRevenue}/books`]: 'Books',
      [paths.adminHowGuestsPay]: 'How guests pay',
    },
  },
  rates: {
    title: 'Rates Management',
    tabs: {
      [paths.adminRates]: 'Seasons',
      [paths.adminFees]: 'Deposit and fees',
      [paths.adminTaxes]: 'Taxes',
      [paths.adminStayRules]: 'Stay rules',
    },
  },
  availability: {
    title: 'Availability Management',
    tabs: { [paths.adminAvailability]: 'Nights', [paths.adminCalendars]: 'Other platforms' },
  },
  site: {
    title: 'Site',
    tabs: {
      [paths.adminSite]: 'Page',
      [paths.adminNameAndContact]: 'Name and contact',
      [paths.adminDocuments]: 'Documents and emails',
      [paths.adminGuests]: 'Guests',
      [paths.adminServer]: 'Server',
    },
  },
}

/** For two stacks of cards, which stand side by side in a wide window. */
export const cardColumns =
  'grid max-w-3xl items-start gap-6 xl:max-w-none xl:grid-cols-2 *:grid *:min-w-0 *:grid-cols-1 *:gap-6'

type AreaPageProps = Omit<ComponentProps<typeof Page>, 'title' | 'back'> & { area: keyof typeof areas }

/** A screen of the back office that is a tab of an area in the navigation. */
export function AreaPage({ area, children, ...page }: AreaPageProps) {
  const { tabs, title } = areas[area]
  const [path] = useLocation()
  const deposit = api.settings.deposit.get.useQuery(undefined, { enabled: area === 'revenue' })
  const watchesDeposits = deposit.isError || deposit.data?.body.enabled === true
  const links = Object.entries(tabs)
    .filter(([href]) => href !== `${paths.adminRevenue}/deposits` || href === path || watchesDeposits)
    .map(([href, content]) => ({ href, content, isCurrent: href === path }))
  return (
    <Page
      {...page}
      title={title}
      tabs={
        <LinkTabs
          // Scrolls to the current tab again after all tabs have loaded.
          key={links.length}
          label={title}
          tabs={links}
          // A tab that appears later would shift the others.
          className={classNames('mb-6 border-b border-line', deposit.isLoading && '*:invisible')}
        />
      }
    >
      <ScreenParts>{children}</ScreenParts>
    </Page>
  )
}
