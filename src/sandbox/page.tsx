import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Styles shared by the pages of the mailbox and the payment provider; each defines its own colors. */
export const baseStyle = `
*,*::before,*::after{box-sizing:border-box}
:root{--navy:#1e3552;--teal:#22636d;
  --sans:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;--serif:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.5 var(--sans)}
h1,p,dl,dd,ol,ul{margin:0;padding:0}
ol,ul{list-style:none}
a{color:var(--teal)}
summary{cursor:pointer;font-weight:600;color:var(--navy)}
:focus-visible{outline:3px solid #4e9aa3;outline-offset:2px}
.demo{padding:10px 20px;text-align:center;font-size:14px}
.card{background:#fff;border:1px solid var(--line);border-radius:14px}
`

/** Renders a complete page that runs no scripts and loads no resources. */
export function renderPage(title: string, body: ReactElement, style: string): string {
  const head = renderToStaticMarkup(<title>{title}</title>)
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<link rel="icon" href="data:,">${head}<style>${style}</style></head>` +
    `<body>${renderToStaticMarkup(body)}</body></html>`
  )
}

/** `style` and `forms` are the policy's sources for `style-src` and `form-action`. */
export function pageHeaders({ style, forms }: { style: string; forms: string }): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${style}; img-src data:; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

export function DemoBanner({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="demo">
      <strong>{title}</strong> {children}
    </header>
  )
}

/** A list of labels and values, without entries that have no value. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
