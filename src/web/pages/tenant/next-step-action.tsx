import { CreditCard, PenLine } from 'lucide-react'
import { Link } from 'wouter'
import type { TenantStep } from '../../../domain/tenant-step.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'

/** The link to where a step of an application is done; nothing where there is only to wait. */
export function NextStepLink({ kind, id }: { kind: TenantStep['kind']; id: string }) {
  if (kind === 'pay') return <PayLink id={id} />
  if (kind === 'sign') {
    return (
      <Button variant="accent" asChild>
        <Link href={paths.signLease(id)}>
          <PenLine aria-hidden />
          Sign Lease
        </Link>
      </Button>
    )
  }
  return (
    kind === 'submit' && (
      <Button variant="accent" asChild>
        <Link href={paths.application(id)}>Open Your Application</Link>
      </Button>
    )
  )
}

export function PayLink({ id }: { id: string }) {
  return (
    <Button variant="accent" asChild>
      <Link href={paths.payment(id)}>
        <CreditCard aria-hidden />
        Pay Now
      </Link>
    </Button>
  )
}
