import type { ReactNode } from 'react'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

type SetupCardProps = { title: string; subtitle: ReactNode; action?: ReactNode; children: ReactNode }

/** A section of the settings, under its name and a sentence about it. */
export function SetupCard({ title, subtitle, action, children }: SetupCardProps) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} subtitle={subtitle} action={action} />
      <CardBody>{children}</CardBody>
    </Card>
  )
}
