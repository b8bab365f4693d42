import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { unbroken } from '../../ui/unbroken.tsx'

/** The frame of the login, register and password screens. */
export function AccountCard({
  title,
  subtitle,
  children,
}: {
  title: string
  subtitle?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-10 sm:py-16">
      <h1 className="text-center font-display text-3xl text-navy sm:text-4xl">{unbroken(title)}</h1>
      {subtitle && <p className="mt-2 text-center text-muted">{subtitle}</p>}
      <Card className="mt-7 p-5 sm:p-7">{children}</Card>
    </div>
  )
}
