import type { ReactNode } from 'react'
import { Card, CardBody, CardHeader } from './card.tsx'
import { classNames } from './class-names.ts'

type SetupCardProps = {
  title: string
  subtitle: ReactNode
  action?: ReactNode
  /** Whether the action fits next to the title on a phone. */
  isShort?: boolean
  children: ReactNode
}

/** A card for a section of the settings, with a title and a short description. */
export function SetupCard({ title, subtitle, action, isShort = false, children }: SetupCardProps) {
  return (
    <Card aria-label={title}>
      <CardHeader
        title={title}
        subtitle={subtitle}
        action={action}
        className={classNames('[&>*+*]:shrink-0', isShort ? 'flex-nowrap!' : 'sm:flex-nowrap!')}
      />
      <CardBody>{children}</CardBody>
    </Card>
  )
}
