import type { ReactNode } from 'react'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'

/** A section of a long form, with a heading. */
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
