import type { ReactNode } from 'react'
import type { LineItem } from './checkout-objects.ts'

export function DemoBanner({ children }: { children?: ReactNode }) {
  return (
    <header className="demo">
      <strong>Demo: no real money moves.</strong> {children}
    </header>
  )
}

type LinesProps = {
  items: LineItem[]
  total: number
  refunded?: number
  currency: string
  totalLabel: string
}

export function Lines({ currency, items, refunded = 0, total, totalLabel }: LinesProps) {
  return (
    <dl className="lines">
      {items.map(item => (
        <div key={item.id}>
          <dt>
            {item.description}
            {(item.quantity ?? 1) > 1 && (
              <small>
                {item.quantity} × {money(item.price.unit_amount, currency)}
              </small>
            )}
          </dt>
          <dd>{money(item.amount_total, currency)}</dd>
        </div>
      ))}
      {refunded > 0 && (
        <div>
          <dt>Refunded</dt>
          <dd>-{money(refunded, currency)}</dd>
        </div>
      )}
      <div className="total">
        <dt>{totalLabel}</dt>
        <dd>{money(total - refunded, currency)}</dd>
      </div>
    </dl>
  )
}

type NoticeProps = { title: string; children: ReactNode; back?: { href: string; label: string } }

/** A page that only says something and offers the way back. */
export function NoticePage({ back, children, title }: NoticeProps) {
  return (
    <>
      <DemoBanner />
      <main>
        <section className="card notice">
          <h1 className="title">{title}</h1>
          <p>{children}</p>
          {back && (
            <a className="button" href={back.href}>
              {back.label}
            </a>
          )}
        </section>
      </main>
    </>
  )
}

/** Cents as `$1,234.00`. */
export function money(cents: number | null, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format((cents ?? 0) / 100)
}
