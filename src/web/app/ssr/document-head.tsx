import { renderToStaticMarkup } from 'react-dom/server'
import type { Site } from '../../api/site.ts'
import { effectiveDate } from '../../content/legal.ts'
import { hero } from '../../content/property.ts'
import { heroPreloads } from '../../pages/public/hero-section.tsx'
import type { PublicPath } from '../routing/public-pages.ts'
import { documentTitle } from '../routing/titles.ts'
import type { PageData } from './page-data.ts'
import { vacationRental } from './structured-data.ts'

type Head = { path: PublicPath; data: PageData; origin: string }

/** The part of a public page's head that other documents do not share. */
export function documentHead({ path, data, origin }: Head): string {
  const { site } = data.site
  const title = documentTitle(path, site.propertyName)
  const description = descriptions[path](site)
  const address = `${origin}${path}`
  const picture = `${origin}/og-image.jpg`
  return renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.propertyName} />
      <meta property="og:locale" content="en_US" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="The beachfront building and the sea in warm light" />
      <meta name="twitter:card" content="summary_large_image" />
      {path === '/' && heroPreloads.map(link => <link key={link.media} {...link} />)}
      {path === '/' && (
        <script
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, with every `<` written as an escape
          dangerouslySetInnerHTML={{
            __html: jsonForHtml(vacationRental(site, data.rates?.rates ?? [], origin)),
          }}
        />
      )}
    </>,
  )
}

/** JSON that is safe inside a script element. */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

const descriptions: Record<PublicPath, (site: Site) => string> = {
  '/': () => `${hero.text} See rates and free dates, and apply online.`,
  '/contact': site =>
    `Questions about ${site.propertyName}, your dates or an application? Write to the owner, who answers personally.`,
  '/privacy': site =>
    `What ${site.companyName} learns about you on this site, what it is used for, and your choices. Effective ${effectiveDate}.`,
  '/terms': site =>
    `The terms for using this site and for applications, accounts and payments at ${site.propertyName}. Effective ${effectiveDate}.`,
}
