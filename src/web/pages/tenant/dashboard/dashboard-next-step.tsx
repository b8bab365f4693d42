import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type TenantStep, tenantStep } from '../../../../domain/bookings/tenant-step.ts'
import type { DateRange } from '../../../../domain/common/dates.ts'
import { formatShortStay, stayOf } from '../../../../domain/common/stay.ts'
import type { Outputs } from '../../../api/api.ts'
import { NextStepPanel } from '../../../features/applications/next-step-panel.tsx'
import { useOutstandingBalance } from '../../../features/payments/balance-summary.tsx'
import { useDay } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { useUser } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { NextStepLink, useOpenStay } from '../application/application-next-step.tsx'

type Application = Outputs['applications']['status']['applications'][number]
type ApplicationStep = { application: Application; step: TenantStep }

type DashboardNextStepProps = {
  /** The dates chosen on the home page. */
  stay: DateRange | undefined
  nextStep: ApplicationStep | undefined
  /** The action if there is no next step. */
  otherwise: ReactNode
}

/** Welcomes the tenant and shows the next step. */
export function DashboardNextStep({ stay, nextStep, otherwise }: DashboardNextStepProps) {
  if (stay) return <SavedStay stay={stay} />
  if (!nextStep) {
    return (
      <NextStepPanel
        heading={<Welcome />}
        text="Your applications, from the first form to the keys."
        action={otherwise}
      />
    )
  }
  return nextStep.step.kind === 'pay' ? <PaymentNextStep {...nextStep} /> : <NextStepCard {...nextStep} />
}

export function Welcome() {
  const user = useUser()
  return (
    <h1 className="font-display text-3xl leading-tight wrap-anywhere sm:text-4xl">
      Welcome, {user.firstName}
    </h1>
  )
}

function SavedStay({ stay }: { stay: DateRange }) {
  return (
    <NextStepPanel
      heading={<Welcome />}
      title={`Your dates ${formatShortStay(stay)} are waiting`}
      text="Tell us who is coming, and we review your application within 1-2 business days."
      action={
        <Button variant="accent" asChild>
          <Link href={paths.newApplication}>
            Continue with these dates
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      }
    />
  )
}

/** Shows the payment that is due now, which depends on the payment plan. */
function PaymentNextStep({ application, step }: ApplicationStep) {
  const day = useDay()
  const { outstanding, isLoading } = useOutstandingBalance(application.id)
  const stay = useOpenStay(application.id, step.kind)
  if (isLoading || stay.isLoading) return <NextStepSkeleton />
  return (
    <NextStepCard
      application={application}
      step={(outstanding && tenantStep(application, day, outstanding)) ?? step}
    />
  )
}

function NextStepCard({ application, step }: ApplicationStep) {
  const { kind, title, text, isOverdue } = step
  const { isLoading } = useOpenStay(application.id, kind)
  if (isLoading) return <NextStepSkeleton />
  return (
    <NextStepPanel
      heading={<Welcome />}
      about={`Your stay ${formatShortStay(stayOf(application))}`}
      title={title}
      isOverdue={isOverdue}
      text={text}
      action={<NextStepLink kind={kind} id={application.id} isOverdue={isOverdue} />}
    />
  )
}

/** As tall as a step with its button. */
export function NextStepSkeleton() {
  return (
    <NextStepPanel
      heading={<Welcome />}
      about={<LoadingLine width="w-40" />}
      title={<LoadingLine width="w-52" />}
      text={<LoadingLine width="w-64" className="max-sm:h-[2lh]" />}
      action={<span aria-hidden className="h-11 w-44 animate-shimmer rounded-control bg-white/15" />}
    />
  )
}

/** As tall as a line of the surrounding text. */
function LoadingLine({ width, className }: { width: string; className?: string }) {
  return (
    <span className={classNames('flex h-[1lh] items-center', className)}>
      <span
        aria-hidden
        className={classNames('h-4 max-w-full animate-shimmer rounded-control bg-white/15', width)}
      />
    </span>
  )
}
