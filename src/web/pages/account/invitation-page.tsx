import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type AccountHistory as History, resetForm } from '../../../domain/accounts/account.ts'
import {
  deadInvitationMessage,
  type InvitationView,
  usedInvitationMessage,
} from '../../../domain/bookings/booking-entry.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { api, type Outputs } from '../../api/api.ts'
import { failureOf, refusalOr } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import { EmailLink, PhoneLink } from '../../features/applications/contact-links.tsx'
import { NewPasswordField, useAccountForm } from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { RedirectTo } from '../../routing/redirect-to.tsx'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { AccountCard, TextLink } from './account-card.tsx'
import { AccountHistory } from './account-history.tsx'

const failed = 'Your password could not be set. Please try again.'

/**
 * Where an invited guest sets a password. The URL's fragment, which browsers do not send to servers, has the token and
 * the page to open next.
 */
export function InvitationPage() {
  const [{ page, token }] = useState(readFragment)
  const { client } = api.useUtils()
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => client.manualBookings.invitation.mutate({ token }),
    enabled: token !== '',
    // The token becomes invalid when the invitation is accepted.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [accepted, setAccepted] = useState<Accepted>()
  const { begin } = useSession()
  const [, navigate] = useLocation()
  const onAccepted = async (answer: Accepted) => {
    setAccepted(answer)
    if ('token' in answer) await begin(answer.token, answer.user)
    sessionToast.success('Your password is set')
    // If a second step of the login is left, the login page opens it.
    if (answer.before === null) navigate(page, { replace: true })
  }
  if (accepted?.before)
    return <TakenOver before={accepted.before} isLoggedIn={'token' in accepted} page={page} />
  if (accepted) return <Waiting />
  if (isRefused(query.error, 409))
    return <RedirectTo to={paths.login} entry={{ notice: usedInvitationMessage, page }} />
  if (token === '' || isRefused(query.error, 404)) return <InvalidLink />
  if (query.data)
    return <SetPassword token={token} invitation={query.data.invitation} onAccepted={onAccepted} />
  if (query.isError)
    return (
      <ErrorState
        message={refusalOr(query.error, 'Failed to load your invitation')}
        onRetry={() => void query.refetch()}
      />
    )
  return <Waiting />
}

function readFragment() {
  const [, token = '', page = paths.dashboard] = /^#([\w-]+)(\/\w.*)?$/.exec(window.location.hash) ?? []
  // The lease opens where it waits for the signature.
  return { token, page: page.startsWith('/application/') ? `${page}#sign` : page }
}

function isRefused(error: unknown, status: 404 | 409): boolean {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === status
}

const Waiting = () => (
  <div className="grid min-h-[50vh] place-items-center">
    <Spinner label="Loading..." />
  </div>
)

type Accepted = Outputs['manualBookings']['acceptInvitation']
type SetPasswordProps = {
  token: string
  invitation: InvitationView
  onAccepted: (answer: Accepted) => Promise<void>
}

function SetPassword({ token, invitation, onAccepted }: SetPasswordProps) {
  const { applicationNumber, email, endDate, firstName, isRegistered, propertyName, startDate } = invitation
  const accept = api.manualBookings.acceptInvitation.useMutation()
  const [died, setDied] = useState(false)
  const form = useZodForm(resetForm, {
    newPassword: '',
    confirmPassword: '',
  })
  const texts = { failed, noResponse: failed, atFields: true }
  const { submit, formError, field, busy } = useAccountForm(form, texts, async ({ newPassword }) => {
    const answer = await accept.mutateAsync({ token, newPassword }).catch(error => {
      if (isRefused(error, 404)) setDied(true)
      throw error
    })
    await onAccepted(answer)
  })
  if (died) return <InvalidLink />
  return (
    <AccountCard title={`Welcome, ${firstName}`} subtitle={`Your stay at ${propertyName}`}>
      <DefinitionList
        columns={1}
        items={[
          { label: 'Stay', value: formatShortStay({ start: startDate, end: endDate }) },
          { label: 'Booking', value: applicationNumber },
          { label: 'Account email', value: email },
        ]}
      />
      {isRegistered && (
        <Notice tone="warning" title="This address has an account" className="mt-6">
          Nobody has confirmed yet that the address is theirs, so your booking is closed to that account. A
          new password makes the account yours and logs everybody else out.
        </Notice>
      )}
      <form noValidate onSubmit={submit} className="mt-6 grid gap-5">
        <FormError>{formError}</FormError>
        {/* So that a password manager knows which account the password belongs to. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField hint="At least 6 characters" {...field('newPassword')} />
        <NewPasswordField label="Confirm password" {...field('confirmPassword')} />
        <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
          Set password and continue
        </Button>
      </form>
    </AccountCard>
  )
}

/** Somebody had registered the address: what was done in the account before. */
function TakenOver({ before, isLoggedIn, page }: { before: History; isLoggedIn: boolean; page: string }) {
  return (
    <AccountCard title="The account is yours">
      <p role="status">
        Your new password is set, and everybody else was logged out.
        {!isLoggedIn && ' Please log in with it and with the second step.'}
      </p>
      <Button asChild className="mt-6 w-full">
        <Link href={page}>{isLoggedIn ? 'Continue' : 'Go to Login'}</Link>
      </Button>
      <AccountHistory history={before} />
    </AccountCard>
  )
}

/** Shown for all invalid links. */
function InvalidLink() {
  const site = useSite()
  const [title, ...rest] = deadInvitationMessage.split('. ')
  return (
    <AccountCard title={title ?? ''}>
      <p>{rest.join('. ')}</p>
      {site && (
        <p className="mt-3">
          The owner’s contact: <EmailLink email={site.ownerEmail} className="wrap-anywhere" />,{' '}
          <PhoneLink phone={site.ownerPhone} />
        </p>
      )}
      <Button asChild className="mt-6 w-full">
        <Link href={paths.forgotPassword}>Forgot password</Link>
      </Button>
      <p className="mt-6 text-center">
        Already set a password? <TextLink href={paths.login}>Log in</TextLink>
      </p>
    </AccountCard>
  )
}
