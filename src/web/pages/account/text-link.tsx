import type { ReactNode } from 'react'
import { Link } from 'wouter'

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="font-semibold text-lagoon-dark underline underline-offset-4 hover:text-navy">
      {children}
    </Link>
  )
}
