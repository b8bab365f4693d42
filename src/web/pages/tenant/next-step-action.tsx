import { CreditCard, PenLine } from 'lucide-react'
import { Link } from 'wouter'
import type { TenantStep } from '../../../domain/bookings/tenant-step.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'

type PayLinkProps = { id: string; isOverdue?: boolean | undefined }

/** A link to where a step can be done; renders nothing if the tenant can only wait. */
export function NextStepLink({ kind, ...props }: PayLinkProps & { kind: TenantStep['kind'] }) {
  const { id } = props
  if (kind === 'pay') return <PayLink {...props} />
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

export function PayLink({ id, isOverdue }: PayLinkProps) {
  return (
    <Button variant={isOverdue ? 'primary' : 'accent'} asChild>
      <Link href={paths.payment(id)}>
        <CreditCard aria-hidden />
        Pay Now
      </Link>
    </Button>
  )
}
