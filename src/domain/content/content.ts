import { z } from 'zod'
import { isCalendarDate } from '../common/dates.ts'
import {
  booleanField,
  contentError,
  contentMessages,
  emailField,
  fields,
  filledMarkdown,
  filledText,
  integerField,
  lineField,
  list,
  oneOf,
  phoneField,
  printedLineField,
  textField,
} from './content-text.ts'

/** The schema number of `sections`; older documents are migrated to it on reading (SITE-31). */
export const contentSchema = 1

/** The fields and lists that must not be empty when publishing (SITE-05). */
export const requiredToPublish = z.registry()
const required = <Schema extends z.ZodType>(schema: Schema): Schema => {
  requiredToPublish.add(schema)
  return schema
}

export const factIcons = [
  'bed',
  'bath',
  'guests',
  'area',
  'floor',
  'beach',
  'smoke',
  'parking',
  'wifi',
  'pool',
] as const
export const amenityIcons = ['view', 'living', 'kitchen', 'bed', 'bath', 'rules', 'parking', 'wifi'] as const
export const mapKinds = ['sketch', 'picture', 'none'] as const
export const contactBackgrounds = ['video', 'picture'] as const

const options = { error: contentError }
/** In a comparison, a number is a position and `order` is the order of a list. */
const id = () => z.string(options).regex(/^(?!order$|\d+$)[\w-]{1,64}$/, options)
/** The name of a shipped picture or the id of an uploaded one. */
export const pictureField = () => id().nullable()
/** A multiple of one twentieth, exact. */
const twentieth = () =>
  z
    .number(options)
    .min(0, options)
    .max(1, options)
    .refine(given => Math.abs(given * 20 - Math.round(given * 20)) < 1e-6, options)
    .transform(given => Math.round(given * 20) / 20 + 0)
const halves = (min: number, max: number) =>
  z.number(options).min(min, options).max(max, options).multipleOf(0.5, options)
/** A calendar date, or empty. */
const date = () => lineField(10).refine(given => given === '' || isCalendarDate(given), options)

const legalPage = () =>
  fields({
    effective: required(lineField(40)),
    intro: required(filledText(400)),
    text: required(filledMarkdown(30_000)),
  })

const galleryPicture = fields({
  picture: required(pictureField()),
  caption: required(lineField(100)),
  alt: required(lineField(200)),
})

const review = fields({
  id: id(),
  name: required(lineField(60)),
  rating: integerField(1, 5),
  date: required(date()),
  title: lineField(80),
  content: required(textField(1500)),
  stayed: lineField(40),
  verified: booleanField(),
  sample: booleanField(),
  applicationId: id().nullable(),
})

/** The sections of the site's content, in the order of the editor and of a version. */
export const sections = {
  identity: fields({
    companyName: required(printedLineField(80)),
    propertyName: required(printedLineField(80)),
    propertyAddress: required(printedLineField(160)),
    ownerEmail: required(emailField()),
    ownerPhone: required(phoneField()),
  }),
  search: fields({ title: lineField(70), description: lineField(170) }),
  hero: fields({
    eyebrow: lineField(60),
    headline: required(lineField(60)),
    text: required(lineField(240)),
    picture: required(pictureField()),
    alt: required(lineField(160)),
    focal: fields({ x: twentieth(), y: twentieth() }),
  }),
  overview: fields({
    title: required(lineField(60)),
    intro: required(textField(1500)),
    more: textField(6000),
    picture: required(pictureField()),
    alt: required(lineField(160)),
  }),
  facts: fields({
    bedrooms: integerField(0, 20),
    bathrooms: halves(0, 20),
    sleeps: integerField(1, 30),
    squareFeet: integerField(0, 20_000),
    floor: integerField(-2, 99),
    items: list(fields({ icon: oneOf(factIcons), text: required(lineField(40)) }), 12),
  }),
  gallery: fields({
    title: required(lineField(60)),
    pictures: required(
      list(galleryPicture, 40).superRefine((pictures, context) => {
        for (const [index, { picture }] of pictures.entries())
          if (picture !== null && pictures.findIndex(other => other.picture === picture) < index)
            context.addIssue({
              code: 'custom',
              path: [index, 'picture'],
              message: contentMessages.alreadyInGallery,
            })
      }),
    ),
  }),
  rates: fields({ title: required(lineField(60)), intro: textField(300) }),
  availability: fields({ title: required(lineField(60)), intro: textField(300) }),
  amenities: fields({
    title: required(lineField(60)),
    groups: list(
      fields({
        icon: oneOf(amenityIcons),
        title: required(lineField(40)),
        items: required(list(required(lineField(60)), 12)),
      }),
      12,
    ),
  }),
  houseRules: fields({ showOnPage: booleanField(), rules: list(required(printedLineField(300)), 40) }),
  reviews: fields({
    title: required(lineField(60)),
    reviews: list(review, 60).superRefine((reviews, context) => {
      for (const [index, given] of reviews.entries())
        for (const field of ['id', 'applicationId'] as const)
          if (given[field] !== null && reviews.findIndex(other => other[field] === given[field]) < index)
            context.addIssue({ code: 'custom', path: [index, field], message: contentMessages.invalid })
    }),
  }),
  location: fields({
    title: required(lineField(60)),
    text: textField(300),
    map: oneOf(mapKinds),
    picture: pictureField(),
    alt: lineField(160),
    note: lineField(120),
    walks: list(fields({ where: required(lineField(40)), how: required(lineField(80)) }), 8),
  }),
  contact: fields({
    text: textField(300),
    directTitle: required(lineField(60)),
    directText: textField(300),
    background: oneOf(contactBackgrounds),
    picture: pictureField(),
  }),
  waysToPay: fields({
    ways: list(fields({ name: required(lineField(40)), instructions: required(filledText(400)) }), 12),
  }),
  privacy: legalPage(),
  terms: legalPage(),
} as const

export type SectionName = keyof typeof sections
export const sectionNames = Object.keys(sections) as SectionName[]

/** The content of the whole site as shown, with the environment's identity until somebody changes it in the editor. */
export type SiteContent = { [Name in SectionName]: z.output<(typeof sections)[Name]> }
export type Identity = SiteContent['identity']
export type Review = SiteContent['reviews']['reviews'][number]
/** The content of the site as stored; `identity` is null until somebody changes it in the editor. */
export type ContentDocument = Omit<SiteContent, 'identity'> & { identity: Identity | null }

/** Whether the site's content has a section of this name. */
export const isSectionName = (name: string): name is SectionName => Object.hasOwn(sections, name)

/** Completes a stored document with the environment's identity if it has none. */
export function resolveContent(document: ContentDocument, environment: Identity): SiteContent {
  return { ...document, identity: document.identity ?? environment }
}

/**
 * The site's content as shown to somebody: published, or the draft of a preview. A draft may lack everything that only
 * publishing requires: texts are empty, lists have no entries, pictures are null.
 */
export type ShownContent = {
  /** Number of the published version; 0 for the shipped content. */
  version: number
  /** As stored. */
  document: ContentDocument
  /** The same, with the environment's name and address if it has none. */
  content: SiteContent
  /** Newer versions that cannot be read (SITE-31). */
  unreadable: readonly number[]
}
export type ContentSource = () => ShownContent

/** The sections of the home page in the order in which `home` lists them. */
export const homeSections = [
  'search',
  'hero',
  'overview',
  'facts',
  'gallery',
  'rates',
  'availability',
  'amenities',
  'houseRules',
  'reviews',
  'location',
] as const satisfies readonly SectionName[]
