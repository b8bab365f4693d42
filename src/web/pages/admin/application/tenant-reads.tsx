import type { ReactNode } from 'react'

type TenantReadsProps = {
  /** Of the e-mail that the tenant gets. */
  subject: string
  children: ReactNode
}

/** What the tenant will read of a change, before it is made. */
export function TenantReads({ subject, children }: TenantReadsProps) {
  return (
    <div role="status" className="rounded-control bg-glass-light px-4 py-3 text-[0.9375rem]">
      <p className="text-muted">The tenant gets an e-mail:</p>
      <p className="font-semibold wrap-anywhere text-navy">{subject}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}
