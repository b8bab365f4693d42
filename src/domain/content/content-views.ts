import { z } from 'zod'
import { wireDate } from '../common/wire.ts'
import { amenityIcons, factIcons, mapKinds } from './content.ts'
import { blockView } from './content-blocks.ts'
import { publicPages } from './public-pages.ts'

// The content of the public pages as visitors get it.

const size = { width: z.int(), height: z.int() }
const widths = z.array(z.int())

/** A picture with copies at `PATH-WIDTH.avif`, `.webp` and `.jpg`; no widths while they are being made. */
export const pictureView = z.strictObject({
  id: z.string(),
  path: z.string(),
  ...size,
  avif: widths,
  webp: widths,
  jpeg: widths,
  /** A blurred copy as a data URL. */
  placeholder: z.string(),
})
export type PictureView = z.infer<typeof pictureView>

/** The picture at the top of the home page, with its portrait crop for phones. */
const heroPictureView = z.strictObject({ ...pictureView.shape, phone: pictureView })
export type HeroPictureView = z.infer<typeof heroPictureView>

const focal = z.strictObject({ x: z.number(), y: z.number() })
const titled = { title: z.string(), intro: z.string() }

export const homeView = z.strictObject({
  search: z.strictObject({ title: z.string(), description: z.string() }),
  hero: z.strictObject({
    eyebrow: z.string(),
    headline: z.string(),
    text: z.string(),
    picture: heroPictureView,
    alt: z.string(),
    focal,
  }),
  overview: z.strictObject({ ...titled, more: z.string(), picture: pictureView, alt: z.string() }),
  facts: z.strictObject({
    bedrooms: z.number(),
    bathrooms: z.number(),
    sleeps: z.int(),
    squareFeet: z.number(),
    floor: z.number(),
    items: z.array(z.strictObject({ icon: z.enum(factIcons), text: z.string() })),
  }),
  gallery: z.strictObject({
    title: z.string(),
    pictures: z.array(z.strictObject({ picture: pictureView, caption: z.string(), alt: z.string() })),
  }),
  rates: z.strictObject(titled),
  availability: z.strictObject(titled),
  amenities: z.strictObject({
    title: z.string(),
    groups: z.array(
      z.strictObject({ icon: z.enum(amenityIcons), title: z.string(), items: z.array(z.string()) }),
    ),
  }),
  /** Only if they are shown on the page. */
  houseRules: z.strictObject({ showOnPage: z.literal(true), rules: z.array(z.string()) }).optional(),
  reviews: z.strictObject({
    title: z.string(),
    /** Newest first. */
    reviews: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        rating: z.int(),
        /** Empty only in a draft. */
        date: z.union([wireDate, z.literal('')]),
        title: z.string(),
        content: z.string(),
        stayed: z.string(),
        verified: z.boolean(),
        sample: z.boolean(),
        /** Of a guest's review. */
        reply: z.strictObject({ text: z.string() }).nullable().optional(),
      }),
    ),
    /** Once a guest's review counts. */
    rating: z.strictObject({ average: z.number(), count: z.int(), notShown: z.int() }).optional(),
  }),
  location: z.strictObject({
    title: z.string(),
    text: z.string(),
    map: z.enum(mapKinds),
    picture: pictureView.nullable(),
    alt: z.string(),
    note: z.string(),
    walks: z.array(z.strictObject({ where: z.string(), how: z.string() })),
  }),
})
export type HomeView = z.infer<typeof homeView>

const contactView = z.strictObject({
  contact: z.strictObject({
    text: z.string(),
    directTitle: z.string(),
    directText: z.string(),
    background: z.enum(['video', 'picture']),
    picture: pictureView.nullable(),
    /** Shown until the video plays. */
    poster: pictureView,
  }),
})

/** With placeholders filled in. */
const legalView = z.strictObject({
  effective: z.string(),
  intro: z.string(),
  blocks: z.array(blockView),
})
export type LegalView = z.infer<typeof legalView>

const identityView = z.strictObject({
  companyName: z.string(),
  propertyName: z.string(),
  propertyAddress: z.string(),
  ownerEmail: z.string(),
  ownerPhone: z.string(),
})

const whole = {
  /** Number of the published version; 0 if nothing was ever published. */
  version: z.int(),
  site: identityView,
}
/** The content of a public page. */
export const pageContentView = z.discriminatedUnion('page', [
  z.strictObject({ page: z.literal('home'), ...whole, content: homeView }),
  z.strictObject({ page: z.literal('contact'), ...whole, content: contactView }),
  z.strictObject({ page: z.literal('privacy'), ...whole, content: z.strictObject({ privacy: legalView }) }),
  z.strictObject({ page: z.literal('terms'), ...whole, content: z.strictObject({ terms: legalView }) }),
])
export type PageContent = z.infer<typeof pageContentView>

/** A page, by default the home page. */
export const contentInput = z
  .object({ page: z.enum(Object.values(publicPages)).default('home') })
  .prefault({})
