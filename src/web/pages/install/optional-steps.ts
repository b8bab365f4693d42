import { type ComponentType, lazy } from 'react'

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
