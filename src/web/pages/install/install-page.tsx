import { type ComponentProps, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type InstallStep, installSteps } from '../../../domain/content/install.ts'
import { api } from '../../api/api.ts'
import { useFactors } from '../../features/security/section.tsx'
import { SecurityTab } from '../../features/security/security-tab.tsx'
import { toastFailure } from '../../forms/failure-toast.ts'
import { NotFound } from '../../routing/not-found.tsx'
import { paths } from '../../routing/paths.ts'
import { RedirectTo } from '../../routing/redirect-to.tsx'
import type { LoginEntry } from '../../session/login-entry.ts'
import { isAdmin, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { AccountStep, isGone } from './account-step.tsx'
import { CondoStep, type Install } from './condo-step.tsx'
import { optionalSteps, StepFrame, stepTexts } from './step-frame.tsx'

const isOptional = (key: InstallStep): key is keyof typeof optionalSteps =>
  key === 'mail' || key === 'cards' || key === 'backups'

/** Where the owner of a new site answers what it needs, from the link of the server's console on. */
export function InstallPage() {
  const session = useSession()
  const [password, setPassword] = useState<string>()
  const entry: LoginEntry = { page: paths.install }
  if (session.status === 'loading')
    return session.isUnreachable ? (
      <ErrorState message="No connection" onRetry={session.retry} />
    ) : (
      <Spinner label="Loading..." />
    )
  if (session.status === 'authenticated')
    return isAdmin(session) ? <StoredSteps password={password} /> : <NotFound />
  if (session.ended) return <RedirectTo to={paths.adminLogin} entry={entry} />
  return <AccountStep steps={installSteps} onMade={setPassword} />
}

/** `password` is the one that was typed in the first step, unless the page was loaded again since. */
function StoredSteps({ password }: { password: string | undefined }) {
  const query = api.install.get.useQuery()
  if (isGone(query.error)) return <NotFound />
  return (
    <QueryView query={query} loading="Loading..." error="Failed to load the steps">
      {install => <Steps install={install} password={password} />}
    </QueryView>
  )
}

function Steps({ install, password }: { install: Install; password: string | undefined }) {
  const stateOf = (step: InstallStep) => install.steps.find(({ key }) => key === step)?.state
  const [step, show] = useState(() => installSteps.find(key => stateOf(key) === 'open') ?? 'done')
  const leave = useLeave(step, () => show(installSteps[installSteps.indexOf(step) + 1] ?? 'done'))
  const [isSaving, setSaving] = useState(false)
  const draft: ComponentProps<typeof CondoStep>['draft'] = useRef(undefined)
  const utils = api.useUtils()
  const formId = useId()
  const hasFactor = (useFactors().data?.factors.length ?? 0) > 0
  const before = installSteps[installSteps.indexOf(step) - 1]
  const frame = (next: ReactNode, content: ReactNode) => (
    <StepFrame
      step={step}
      steps={installSteps}
      actions={
        <>
          {/* The account is made; there is nothing to go back to. */}
          {before && before !== 'account' ? (
            <Button variant="ghost" className="-ml-4.5" onClick={() => show(before)}>
              Back
            </Button>
          ) : (
            <span />
          )}
          {next}
        </>
      }
    >
      {content}
    </StepFrame>
  )
  const next = (label: string) => (
    <Button
      variant={label === 'Later' ? 'secondary' : 'primary'}
      busy={leave.isPending}
      onClick={() => leave.mutate({ key: step })}
    >
      {label}
    </Button>
  )

  if (step === 'condo')
    return frame(
      <Button type="submit" form={formId} busy={isSaving || leave.isPending} busyLabel="Saving...">
        Next
      </Button>,
      <CondoStep
        install={install}
        draft={draft}
        formId={formId}
        onBusy={setSaving}
        onSaved={now => {
          utils.install.get.setData(undefined, now)
          void utils.site.invalidate()
          leave.mutate({ key: step })
        }}
      />,
    )
  if (step === 'done') return frame(next('Go to the dashboard'), <Waiting install={install} />)
  const Optional = isOptional(step) ? optionalSteps[step] : undefined
  if (!Optional)
    return frame(
      hasFactor && next('Next'),
      <>
        <h2 className="sr-only">Ways to prove who you are</h2>
        <SecurityTab password={password} />
      </>,
    )
  return frame(
    next(stateOf(step) === 'done' ? 'Next' : 'Later'),
    <Suspense fallback={<Spinner label="Loading..." />}>
      <Optional onDone={() => leave.mutate({ key: step })} />
    </Suspense>,
  )
}

/** Stores that a step is left; the last one leads to the dashboard. */
function useLeave(step: InstallStep, onNext: () => void) {
  const utils = api.useUtils()
  const [, navigate] = useLocation()
  return api.install.leave.useMutation({
    onSuccess: async now => {
      if (step !== 'done') {
        utils.install.get.setData(undefined, now)
        return onNext()
      }
      await utils.opening.get.reset()
      navigate(paths.adminDashboard)
    },
    onError: error => toastFailure(error, { failed: 'Failed to save', noResponse: 'No connection' }),
  })
}

/** What the owner has put off. */
function Waiting({ install }: { install: Install }) {
  const waiting = install.steps.filter(({ key, state }) => isOptional(key) && state !== 'done')
  return (
    <div className="grid gap-3">
      <p>Visitors see only your name and contact until you open it, from the dashboard.</p>
      {waiting.length > 0 && (
        <p className="text-muted">
          Left for later: {waiting.map(({ key }) => stepTexts[key].title).join(', ')}.
        </p>
      )}
    </div>
  )
}
