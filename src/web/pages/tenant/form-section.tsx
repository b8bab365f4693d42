import type { ReactNode } from 'react'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'

/** One group of a long form's fields, under a heading of its own. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} subtitle={hint} />
      <CardBody className="grid gap-5">{children}</CardBody>
    </Card>
  )
}
