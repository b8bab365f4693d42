import { CircleX } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { useSite } from '../../../api/site.ts'
import { readTabStorage } from '../../../forms/tab-storage.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import { lastPaidApplicationKey } from './pay-target.ts'

export function PaymentCancelPage() {
  const site = useSite()
  const [search] = useSearchParams()
  const applicationId = readTabStorage(lastPaidApplicationKey)
  const from = search.get('method') === 'bank' ? 'from your account' : 'to your card'
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-6 sm:px-6 sm:py-10">
      <Card>
        <CardBody className="grid justify-items-center gap-6 text-center sm:p-8">
          <header className="grid justify-items-center gap-2">
            <CircleX aria-hidden className="size-14 text-muted" strokeWidth={1.5} />
            <h1 className="text-[1.75rem] leading-tight font-semibold text-navy">Payment canceled</h1>
            <p className="text-muted">
              You left before the payment was finished. Nothing was charged {from}.
            </p>
          </header>
          <div className="flex flex-wrap justify-center gap-3 max-sm:w-full max-sm:*:grow">
            <Button asChild>
              <Link href={paths.payment(typeof applicationId === 'string' ? applicationId : undefined)}>
                Try Again
              </Link>
            </Button>
            <Button variant="secondary" asChild>
              <Link href={paths.dashboard}>Back to Dashboard</Link>
            </Button>
          </div>
          <p className="min-h-7 text-[0.9375rem] text-muted">
            {site && (
              <>
                Questions? Write to{' '}
                <a href={`mailto:${site.ownerEmail}`} className="wrap-anywhere link">
                  {site.ownerEmail}
                </a>
                .
              </>
            )}
          </p>
        </CardBody>
      </Card>
    </div>
  )
}
