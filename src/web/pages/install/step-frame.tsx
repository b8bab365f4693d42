import { type ComponentType, lazy, type ReactNode, useEffect, useRef } from 'react'
import type { InstallStep } from '../../../domain/content/install.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'

export const stepTexts: Record<InstallStep, { title: string; sentence: string }> = {
  account: { title: 'Account', sentence: 'You manage your site with it.' },
  secondStep: {
    title: 'Second step',
    sentence: 'Set up one of the two, so that a stolen password alone does not open your site.',
  },
  condo: {
    title: 'Your condo',
    sentence: 'Guests read this on your site, in leases and in emails.',
  },
  mail: { title: 'Mail', sentence: 'So that your site can write to you and your guests.' },
  cards: { title: 'Card payments', sentence: 'So that guests can pay you by card.' },
  backups: {
    title: 'Backups elsewhere',
    sentence: 'So that nothing is lost with this machine.',
  },
  done: { title: 'Done', sentence: 'Your site is installed.' },
}

type StepFrameProps = {
  step: InstallStep
  /** The listed steps. */
  steps: readonly InstallStep[]
  /** The buttons below the card. */
  actions?: ReactNode
  children: ReactNode
}

/** A step of the installation, below a bar that shows how far it is. */
export function StepFrame({ step, steps, actions, children }: StepFrameProps) {
  const { title, sentence } = stepTexts[step]
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])
  const at = steps.indexOf(step)
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-8 sm:px-6 sm:py-14">
      <p className="text-[0.9375rem] text-muted tabular-nums">
        Step {at + 1} of {steps.length}
      </p>
      <ol aria-label="Steps" className="mt-2 flex gap-1.5">
        {steps.map((key, index) => (
          <li
            key={key}
            aria-current={key === step ? 'step' : undefined}
            className={classNames('h-1.5 grow rounded-full', index <= at ? 'bg-lagoon-dark' : 'bg-line')}
          >
            <span className="sr-only">{stepTexts[key].title}</span>
          </li>
        ))}
      </ol>
      <h1
        ref={heading}
        tabIndex={-1}
        className="mt-8 font-display text-3xl text-navy focus:outline-none sm:text-4xl"
      >
        {title}
      </h1>
      <p className="mt-2 text-lg text-muted">{sentence}</p>
      <Card className="mt-6">
        <CardBody>{children}</CardBody>
      </Card>
      {actions && <div className="mt-6 flex items-center justify-between gap-3">{actions}</div>}
    </div>
  )
}

export type StepProps = {
  /** Called once when what the step is for has been switched on. */
  onDone: () => void
}

/** The steps that can wait. */
export const optionalSteps: Record<'mail' | 'cards' | 'backups', ComponentType<StepProps>> = {
  mail: lazy(() => import('../../features/setup/mail-setup.tsx').then(m => ({ default: m.MailSetup }))),
  cards: lazy(() =>
    import('../../features/setup/card-payments-setup.tsx').then(m => ({ default: m.CardPaymentsSetup })),
  ),
  backups: lazy(() =>
    import('../../features/setup/backups-elsewhere.tsx').then(m => ({ default: m.BackupsElsewhere })),
  ),
}
