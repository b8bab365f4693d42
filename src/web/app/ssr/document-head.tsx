import { renderToStaticMarkup } from 'react-dom/server'
import type { PublicPath } from '../../../domain/content/public-pages.ts'
import { heroPreloads } from '../../pages/public/hero-section.tsx'
import { documentTitle } from '../routing/screen-table.ts'
import type { PageData } from './page-data.ts'
import { vacationRental } from './structured-data.ts'

type Head = { path: PublicPath; data: PageData; origin: string }

/** The part of a public page's head that is specific to the page. */
export function documentHead({ path, data, origin }: Head): string {
  const { site } = data.site
  const title = documentTitle(path, site)
  const description = descriptionOf(data)
  const address = `${origin}${path}`
  const home = data.content.page === 'home' ? data.content.content : undefined
  const { picture, alt } = site.sharing
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
      {picture && (
        <>
          <meta property="og:image" content={`${origin}${picture.path}`} />
          <meta property="og:image:width" content={String(picture.width)} />
          <meta property="og:image:height" content={String(picture.height)} />
          {alt && <meta property="og:image:alt" content={alt} />}
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
      {home && heroPreloads(home.hero.picture).map(link => <link key={link.media} {...link} />)}
      {home && (
        <script
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every `<` escaped
          dangerouslySetInnerHTML={{
            __html: jsonForHtml(vacationRental(site, home, data.rates?.rates ?? [], origin)),
          }}
        />
      )}
    </>,
  )
}

/** The head of a screen that search engines should not index. */
export const plainHead = (title: string) =>
  renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
    </>,
  )

/** JSON that is safe inside a script element. */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function descriptionOf({ content, site: { site } }: PageData): string {
  switch (content.page) {
    case 'home': {
      const { hero, search } = content.content
      return search.description || `${inOneLine(hero.text)} See rates and free dates, and apply online.`
    }
    case 'contact':
      return `Questions about ${site.propertyName}, your dates or an application? Write to the owner, who answers personally.`
    case 'privacy':
      return `What ${site.companyName} learns about you on this site, what it is used for, and your choices. Effective ${content.content.privacy.effective}.`
    case 'terms':
      return `The terms for using this site and for applications, accounts and payments at ${site.propertyName}. Effective ${content.content.terms.effective}.`
  }
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
