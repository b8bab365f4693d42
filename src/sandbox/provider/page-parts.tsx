import { createHash } from 'node:crypto'
import type { ReactElement, ReactNode } from 'react'
import { DemoBanner, pageHeaders, renderPage } from '../page.tsx'
import type { ProviderResponse } from './http.ts'
import type { LineItem } from './objects.ts'
import { pageStyle } from './page-style.ts'

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

/**
 * A page as a response. `leadsTo` lists URLs that its form may redirect to, because browsers apply form-action to
 * redirects too.
 */
export function pageResponse(
  title: string,
  body: ReactElement,
  { leadsTo = [], status = 200 }: { leadsTo?: string[]; status?: number } = {},
): ProviderResponse {
  const forms = ["'self'", ...new Set(leadsTo.map(url => new URL(url).origin))].join(' ')
  return {
    status,
    headers: pageHeaders({ style: `'sha256-${styleHash}'`, forms }),
    body: renderPage(title, body, pageStyle),
  }
}

export function ProviderBanner({ children }: { children?: ReactNode }) {
  return <DemoBanner title="Demo: no real money moves.">{children}</DemoBanner>
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
          <dt>{item.description}</dt>
          <dd>{money(item.amount_total, currency)}</dd>
        </div>
      ))}
      {refunded > 0 && (
        <div>
          <dt>Refunded</dt>
          <dd>−{money(refunded, currency)}</dd>
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

/** A page with a message and a link back. */
export function NoticePage({ back, children, title }: NoticeProps) {
  return (
    <>
      <ProviderBanner />
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
export function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100).replace('-', '−')
}
