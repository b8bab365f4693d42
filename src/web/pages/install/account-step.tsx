import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { adminPasswordRules } from '../../../domain/accounts/account-rules.ts'
import { firstAdminForm, type InstallStep } from '../../../domain/content/install.ts'
import { api } from '../../api/api.ts'
import { failureOf, refusalOr } from '../../api/failures.ts'
import {
  EmailField,
  FirstNameField,
  LastNameField,
  NewPasswordField,
  useAccountForm,
} from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { NotFound } from '../../routing/not-found.tsx'
import { paths } from '../../routing/paths.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordRules } from '../../ui/password-rules.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { StepFrame } from './step-frame.tsx'

const failed = 'The account could not be created. Please try again.'
const texts = { failed, noResponse: failed, atFields: true }
const blank = { firstName: '', lastName: '', email: '', password: '' }

export const isGone = (error: unknown): boolean => {
  const failure = failureOf(error)
  return failure.kind === 'refused' && failure.status === 404
}

type AccountStepProps = {
  steps: readonly InstallStep[]
  /** Called with the password of the new account, which the next step would ask for again. */
  onMade: (password: string) => void
}

/** Creates the first administrator with the link's token; without a valid one there is nothing at this address. */
export function AccountStep({ steps, onMade }: AccountStepProps) {
  // In the URL's fragment, which browsers do not send to servers.
  const [token] = useState(() => window.location.hash.slice(1))
  const { client } = api.useUtils()
  const query = useQuery({
    queryKey: ['install', token],
    queryFn: () => client.install.open.mutate({ token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [isUsed, setUsed] = useState(false)
  if (token === '') return <NotFound />
  if (isUsed || isGone(query.error)) return <DeadLink />
  if (query.isError)
    return (
      <ErrorState
        message={refusalOr(query.error, 'Failed to load the steps')}
        onRetry={() => void query.refetch()}
      />
    )
  if (!query.data) return <Spinner label="Loading..." />
  return (
    <StepFrame step="account" steps={steps}>
      <AccountForm token={token} onMade={onMade} onUsed={() => setUsed(true)} />
    </StepFrame>
  )
}

function DeadLink() {
  return (
    <div className="mx-auto grid w-full max-w-xl justify-items-center gap-4 px-5 py-16 text-center sm:py-24">
      <h1 className="font-display text-3xl text-navy sm:text-4xl">This link no longer works</h1>
      <p className="text-lg">If your account is made already, log in to go on.</p>
      <Button asChild>
        <Link href={paths.adminLogin}>Log in</Link>
      </Button>
      <p className="text-muted">
        Whoever runs the server makes a new link with “condo link”, or in a checkout with{' '}
        <span className="whitespace-nowrap">“npm run cli -- link”</span>.
      </p>
    </div>
  )
}

type AccountFormProps = Pick<AccountStepProps, 'onMade'> & { token: string; onUsed: () => void }

function AccountForm({ token, onMade, onUsed }: AccountFormProps) {
  const { begin } = useSession()
  const create = api.install.account.useMutation()
  const form = useZodForm(firstAdminForm, blank)
  const { submit, formError, field, busy } = useAccountForm(form, texts, async account => {
    try {
      const made = await create.mutateAsync({ token, ...account })
      onMade(account.password)
      await begin(made.token, made.user)
    } catch (error) {
      if (isGone(error)) onUsed()
      throw error
    }
  })
  const password = form.watch('password')
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{formError}</FormError>
      <div className="grid gap-5 sm:grid-cols-2">
        <FirstNameField {...field('firstName')} />
        <LastNameField {...field('lastName')} />
      </div>
      <EmailField {...field('email')} />
      <NewPasswordField label="Password" {...field('password')} />
      <PasswordRules rules={adminPasswordRules.map(({ label, met }) => ({ label, met: met(password) }))} />
      <Button type="submit" size="lg" busy={busy} busyLabel="Creating your account...">
        Create account
      </Button>
    </form>
  )
}
