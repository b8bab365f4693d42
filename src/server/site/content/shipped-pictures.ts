import { pictures } from './pictures.gen.ts'

export type ShippedPicture = (typeof pictures)[keyof typeof pictures]

/** The portrait crop of the shipped hero, which is not a separate picture. */
const phoneCut = 'hero-tall'

/** The shipped pictures by id. */
export const shippedPictures: ReadonlyMap<string, ShippedPicture> = new Map(
  Object.entries(pictures).filter(([id]) => id !== phoneCut),
)
