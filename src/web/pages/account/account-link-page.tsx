import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { api } from '../../api/api.ts'
import { failureOf, failureText } from '../../api/failures.ts'
import { paths } from '../../routing/paths.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { AccountCard, ActionResult, TextLink } from './account-card.tsx'

type Client = ReturnType<typeof api.useUtils>['client']
type Done = { title: string; text: string; isPasswordNeeded?: boolean }
type AccountLink = {
  title: string
  /** What the button will do. Opening the page does nothing, because mail scanners open every link. */
  text: ReactNode
  button: string
  busyLabel: string
  failed: string
  act: (client: Client, token: string) => Promise<Done>
}

const newPassword = (title: string): Done => ({
  title,
  text: safetyMessages.signedOutEverywhere,
  isPasswordNeeded: true,
})

const emailChange: AccountLink = {
  title: 'Confirm the new email address',
  text: (
    <>
      <p>
        Someone who is logged in asked to change the email address of their account. It changes once both
        addresses, the old one and the new one, have confirmed it.
      </p>
      <p className="mt-3">
        If this was not you, do not confirm it. If it is about your account, please{' '}
        <TextLink href={paths.forgotPassword}>set a new password</TextLink>.
      </p>
    </>
  ),
  button: 'Confirm the change',
  busyLabel: 'Confirming...',
  failed: 'The change could not be confirmed. Please try again.',
  act: async (client, token) => {
    const { state } = await client.emailChange.confirm.mutate({ token })
    return state === 'waiting'
      ? {
          title: 'This address is confirmed',
          text: 'Please open the link that we sent to the other address, too. Then the email address changes.',
        }
      : {
          title: 'Your email address has changed',
          text: 'From now on, please log in with the new address. You were logged out everywhere else.',
        }
  },
}

const emailUndo: AccountLink = {
  title: 'Undo the change of your email address',
  text: (
    <p>
      Your account goes back to its former email address. It is logged out everywhere, its password stops
      working, and we send you a link to set a new one.
    </p>
  ),
  button: 'Undo the change',
  busyLabel: 'Undoing...',
  failed: 'The change could not be undone. Please try again.',
  act: async (client, token) => {
    await client.emailChange.undo.mutate({ token })
    return newPassword('Your former email address is restored')
  },
}

const notMe: AccountLink = {
  title: 'Wasn’t you?',
  text: (
    <p>
      We log your account out everywhere, on your own devices too. Its password stops working, and we send you
      a link to set a new one.
    </p>
  ),
  button: 'Log out everywhere',
  busyLabel: 'Logging out...',
  failed: 'The sessions could not be ended. Please try again.',
  act: async (client, token) => {
    await client.sessions.notMe.mutate({ token })
    return newPassword('Logged out everywhere')
  },
}

const links: Record<string, AccountLink> = {
  '/email-change': emailChange,
  '/email-undo': emailUndo,
  '/not-me': notMe,
}

/** The page that emailed links lead to. The token is in the URL's fragment, which browsers do not send to servers. */
export function AccountLinkPage() {
  const [path] = useLocation()
  const link = links[path]
  // Opening the link for the other address in the same tab changes only the fragment.
  const token = useSyncExternalStore(onFragmentChange, () => window.location.hash.slice(1))
  if (!link || token === '') return <InvalidLink />
  return <Question key={path + token} token={token} link={link} />
}

function onFragmentChange(listener: () => void) {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

function Question({ token, link }: { token: string; link: AccountLink }) {
  const { act, busyLabel, button, failed, text, title } = link
  const { client, accounts } = api.useUtils()
  const session = useSession()
  const run = useMutation({
    mutationFn: () => act(client, token),
    onSuccess: () => {
      // This browser's session may have ended, or its user may have a new email address.
      if (session.status === 'authenticated')
        accounts.profile.fetch(undefined, { staleTime: 0 }).then(
          ({ user }) => session.setUser(user),
          () => undefined,
        )
    },
  })
  if (run.data) return <DoneCard {...run.data} />
  if (run.error && failureOf(run.error).status === 404) return <InvalidLink afterAction />
  return (
    <AccountCard title={title}>
      <FormError className="mb-5">
        {run.error && failureText(run.error, { failed, noResponse: failed })}
      </FormError>
      {text}
      <Button
        size="lg"
        className="mt-6 w-full"
        busy={run.isPending}
        busyLabel={busyLabel}
        onClick={() => run.mutate()}
      >
        {button}
      </Button>
    </AccountCard>
  )
}

function DoneCard({ title, text, isPasswordNeeded = false }: Done) {
  const { status } = useSession()
  return (
    <AccountCard title={title}>
      <ActionResult>{text}</ActionResult>
      {isPasswordNeeded ? (
        <p className="mt-3">
          No email after a few minutes? <TextLink href={paths.forgotPassword}>Request another link</TextLink>
        </p>
      ) : (
        <Button asChild className="mt-6 w-full">
          {status === 'authenticated' ? (
            <Link href={paths.dashboard}>Go to Dashboard</Link>
          ) : (
            <Link href={paths.login}>Go to Login</Link>
          )}
        </Button>
      )}
    </AccountCard>
  )
}

/** Shown for all invalid links, either immediately or after the button was clicked. */
function InvalidLink({ afterAction = false }: { afterAction?: boolean }) {
  return (
    <AccountCard title="Invalid link">
      {afterAction ? (
        <ActionResult>{safetyMessages.invalidLink}</ActionResult>
      ) : (
        <p role="status">{safetyMessages.invalidLink}</p>
      )}
      <p className="mt-3">
        If you are worried about your account, please{' '}
        <TextLink href={paths.forgotPassword}>set a new password</TextLink>.
      </p>
      <Button asChild className="mt-6 w-full">
        <Link href={paths.login}>Go to Login</Link>
      </Button>
    </AccountCard>
  )
}
