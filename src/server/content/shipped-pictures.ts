import { pictures } from './pictures.gen.ts'

export type ShippedPicture = (typeof pictures)[keyof typeof pictures]

/** The upright cut of the shipped hero: no picture of its own. */
const phoneCut = 'hero-tall'

/** The pictures that come with the site, by their ids. */
export const shippedPictures: ReadonlyMap<string, ShippedPicture> = new Map(
  Object.entries(pictures).filter(([id]) => id !== phoneCut),
)
