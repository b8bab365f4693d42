import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Card } from '../../ui/card.tsx'
import { noBreakWords } from '../../ui/no-break-words.tsx'

/** The frame of the login, register and password screens, with a picture of the sea on wide windows. */
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
    <div className="grow lg:grid lg:grid-cols-2">
      <div className="mx-auto w-full max-w-md px-4 py-10 sm:py-16 lg:py-[clamp(3rem,13svh,9rem)]">
        <h1 className="text-center font-display text-3xl text-navy sm:text-4xl">{noBreakWords(title)}</h1>
        {subtitle && <p className="mt-2 text-center text-muted">{subtitle}</p>}
        <Card className="mt-7 p-5 sm:p-7">{children}</Card>
      </div>
      <div aria-hidden className="sea-tall min-h-[calc(100svh-4rem)] max-lg:hidden" />
    </div>
  )
}

/** The outcome of an action whose button is gone: it takes the focus, so that screen readers read it out. */
export function ActionResult({ role = 'status', children }: { role?: 'status' | 'alert'; children: string }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <p ref={text} role={role} tabIndex={-1} className="focus:outline-none">
      {children}
    </p>
  )
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="font-semibold text-lagoon-dark underline underline-offset-4 hover:text-navy">
      {children}
    </Link>
  )
}
