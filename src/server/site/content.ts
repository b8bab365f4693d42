import type { SiteContent } from '../../domain/content/content.ts'
import { interpolateBlocks } from '../../domain/content/content-blocks.ts'
import { homeContent } from '../../domain/content/content-faults.ts'
import {
  interpolate,
  type PlaceholderValues,
  placeholderValues,
} from '../../domain/content/content-placeholders.ts'
import type { ContentPage, HomeView, LegalView, PageContent } from '../../domain/content/content-views.ts'
import type { Deps } from '../kernel/deps.ts'
import { blocksOf } from './content/parsed-texts.ts'
import { type PictureSource, readPictures } from './content/pictures.ts'

/** The content of a public page, with its pictures. */
export function pageContent(deps: Deps, page: ContentPage): PageContent {
  const { content, version } = deps.siteContent()
  const whole = { version, site: content.identity }
  if (page === 'home') return { page, ...whole, content: homeView(deps, content) }
  if (page === 'privacy') return { page, ...whole, content: { privacy: legalView(deps, content[page]) } }
  if (page === 'terms') return { page, ...whole, content: { terms: legalView(deps, content[page]) } }
  const pictures = readPictures(deps.db)
  const contact = {
    ...content.contact,
    picture: pictureOrNull(pictures, content.contact.picture),
    poster: pictures.page(videoPoster),
  }
  return { page, ...whole, content: { contact } }
}

/** The first frame of the shipped video. */
const videoPoster = 'contact-poster'

function homeView(deps: Deps, content: SiteContent): HomeView {
  const pictures = readPictures(deps.db)
  const { gallery, hero, houseRules, location, overview, ...home } = homeContent(content)
  return {
    ...home,
    hero: { ...hero, picture: pictures.hero(hero.picture, hero.focal) },
    overview: { ...overview, picture: pictures.page(overview.picture) },
    gallery: {
      ...gallery,
      pictures: gallery.pictures.map(each => ({ ...each, picture: pictures.page(each.picture) })),
    },
    location: { ...location, picture: pictureOrNull(pictures, location.picture) },
    ...(houseRules && { houseRules: { showOnPage: true, rules: houseRules.rules } }),
  }
}

const pictureOrNull = ({ page }: PictureSource, id: string | null) => (id === null ? null : page(id))

function legalView(deps: Deps, { effective, intro, text }: SiteContent['privacy']): LegalView {
  const values = placeholderValuesFor(deps)
  const blocks = interpolateBlocks(blocksOf(deps.db, text), values)
  return { effective, intro: interpolate(intro, values), blocks }
}

/** Ways to pay without a card, with their placeholders filled in (SITE-16). */
export function waysToPay(deps: Deps): { name: string; instructions: string }[] {
  const values = placeholderValuesFor(deps)
  return deps.siteContent().content.waysToPay.ways.map(({ instructions, name }) => ({
    name,
    instructions: interpolate(instructions, values),
  }))
}

const placeholderValuesFor = ({ config, siteContent }: Deps): PlaceholderValues =>
  placeholderValues(siteContent().content.identity, config.cardFeeBasisPoints)
