import type { AccountHistory as History } from '../../../domain/accounts/account.ts'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { plural } from '../../../domain/common/plural.ts'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { TextLink } from './account-card.tsx'

/**
 * What happened in the account before a mailed link set its password: another person may have created it with this email address.
 */
export function AccountHistory({ history }: { history: History }) {
  const site = useSite()
  if (!site) return null
  return (
    <section aria-labelledby="account-history" className="mt-6 border-t border-line pt-5">
      <h2 id="account-history" className="font-semibold text-navy">
        In this account before your new password
      </h2>
      <ul className="mt-2 list-disc pl-5">
        {linesOf(history, site.timeZone).map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="mt-3">
        If any of this was not you, please <TextLink href={paths.contact}>contact us</TextLink>. Nothing was
        removed.
      </p>
    </section>
  )
}

function linesOf(history: History, timeZone: string): string[] {
  const on = (what: string, moment: string | null) =>
    moment === null ? [] : [`${what} on ${formatMomentDate(moment, timeZone)}`]
  const counted = (what: string, count: number) => (count === 0 ? [] : [plural(count, what)])
  const { applicationNumbers: numbers } = history
  return [
    ...on('Account created', history.createdAt),
    ...on('Last login', history.lastLoginAt),
    ...counted('application', numbers.length).map(line => `${line}: ${numbers.join(', ')}`),
    ...counted('signed lease', history.signedLeases),
    ...counted('payment', history.payments),
    ...on('Profile changed', history.profileChangedAt),
    ...on('Password changed', history.passwordChangedAt),
  ]
}
