import { isBooked } from './application-status.ts'

/** The data that the booking checklist is computed from. */
export type ChecklistSource = {
  status: string
  leaseGenerated: boolean
  leaseSigned: boolean
  /** The tenant has signed, and others are missing. */
  tenantSigned?: true
  /** The owner entered or offered it, and it needs no lease. */
  withoutLease?: true
  paymentReceived: boolean
  /** The application's payments, if loaded. */
  payments?: readonly { status: string }[]
}

export type ChecklistStep = {
  key: 'submitted' | 'approved' | 'generated' | 'signed' | 'paid' | 'verified'
  title: string
  /** What happens in this step, or what to do. */
  hint: string
  complete: boolean
  /** Only the first incomplete step after a complete one. */
  next: boolean
}

export type Checklist = {
  steps: ChecklistStep[]
  completed: number
  /** Completed steps out of six, rounded to a whole number. */
  percent: number
  banner: 'Pending Admin Verification' | 'Booking Complete' | undefined
}

export const noLeaseNeeded = 'Your booking needs no lease on this site.'

/** The six steps of a booking, and the progress. */
export function bookingChecklist(app: ChecklistSource): Checklist {
  const approved = isBooked(app.status)
  const paid = app.paymentReceived || (app.payments?.some(({ status }) => status === 'succeeded') ?? false)
  const done = app.status === 'completed'

  const plan: Omit<ChecklistStep, 'next'>[] = [
    {
      key: 'submitted',
      title: 'Application Submitted',
      hint: 'Fill in your application and send it to us.',
      complete: approved || app.status === 'pending',
    },
    {
      key: 'approved',
      title: 'Application Approved',
      hint: 'We review your application, which typically takes 1-2 business days.',
      complete: approved,
    },
    {
      key: 'generated',
      title: 'Lease Generated',
      hint: app.withoutLease
        ? noLeaseNeeded
        : approved
          ? 'We are preparing your lease and write to you when it is ready.'
          : 'We prepare your lease once the application is approved.',
      complete: app.leaseGenerated,
    },
    {
      key: 'signed',
      title: 'Lease Uploaded',
      hint: app.withoutLease
        ? 'Nothing is to be signed.'
        : app.tenantSigned
          ? 'You have signed. Others are still to sign.'
          : 'Sign the lease online, or print it, sign it by hand and upload a scan.',
      complete: app.leaseSigned,
    },
    {
      key: 'paid',
      title: 'Payment Made',
      hint: 'Pay the deposit or the rent by card, or by another method that we offer.',
      complete: paid,
    },
    {
      key: 'verified',
      title: 'Admin Verification',
      hint: 'We mark your booking complete after a last check.',
      complete: done,
    },
  ]
  const firstComplete = plan.findIndex(step => step.complete)
  const next = firstComplete < 0 ? -1 : plan.findIndex((step, i) => i > firstComplete && !step.complete)
  const completed = plan.filter(step => step.complete).length
  return {
    steps: plan.map((step, i) => ({ ...step, next: i === next })),
    completed,
    percent: Math.round((completed / plan.length) * 100),
    banner: bannerOf(done, paid && app.leaseSigned),
  }
}

function bannerOf(done: boolean, waiting: boolean): Checklist['banner'] {
  if (done) return 'Booking Complete'
  return waiting ? 'Pending Admin Verification' : undefined
}
