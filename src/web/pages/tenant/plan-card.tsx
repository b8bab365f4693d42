import { PlanTable } from '../../features/payments/plan-table.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { usePlan } from './pay-target.ts'

/** The payment plan of an application; renders nothing if there is none. */
export function PlanCard({ applicationId }: { applicationId: string | undefined }) {
  const { data } = usePlan(applicationId)
  if (!data?.plan) return null
  return (
    <Card aria-label="Payment Plan">
      <CardHeader title="Payment Plan" />
      <CardBody className="sm:p-2">
        <PlanTable instalments={data.instalments} />
      </CardBody>
    </Card>
  )
}
