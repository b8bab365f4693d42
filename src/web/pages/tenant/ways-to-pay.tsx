import { useSite } from '../../api/site.ts'
import { waysToPay } from '../../content/ways-to-pay.ts'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'

/** The ways to pay that cost no card fee. */
export function WaysToPay() {
  const site = useSite()
  return (
    <Card aria-label="Other Ways to Pay">
      <CardHeader title="Other Ways to Pay" subtitle="Without the card fee" />
      <CardBody>
        <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          {waysToPay.map(({ name, instructions }) => (
            <div key={name} className="min-w-0">
              <dt className="font-semibold text-navy">{name}</dt>
              <dd className="text-[0.9375rem] wrap-anywhere text-muted">
                {site && fillIn(instructions, site)}
              </dd>
            </div>
          ))}
        </dl>
      </CardBody>
    </Card>
  )
}

type Facts = { companyName: string; ownerEmail: string; ownerPhone: string }

/** Fills in placeholders like `{ownerEmail}`. */
function fillIn(text: string, facts: Facts): string {
  return text.replace(/\{(companyName|ownerEmail|ownerPhone)\}/g, (_, name: keyof Facts) => facts[name])
}
