import { createHash } from 'node:crypto'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ProviderResponse } from './api.ts'
import { pageStyle } from './page-style.ts'

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

/**
 * A whole page without scripts and without requests. `leadsTo`: addresses that its form may end at after a
 * redirect; browsers hold those against form-action too.
 */
export function pageResponse(
  title: string,
  body: ReactElement,
  { leadsTo = [], status = 200 }: { leadsTo?: (string | null)[]; status?: number } = {},
): ProviderResponse {
  const origins = leadsTo.flatMap(url => (url ? [new URL(url).origin] : []))
  const head = renderToStaticMarkup(<title>{title}</title>)
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${styleHash}'`,
        'img-src data:',
        `form-action ${["'self'", ...new Set(origins)].join(' ')}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
      `<link rel="icon" href="data:,">${head}<style>${pageStyle}</style></head>` +
      `<body>${renderToStaticMarkup(body)}</body></html>`,
  }
}
