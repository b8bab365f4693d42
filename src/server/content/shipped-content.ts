import type { ContentDocument } from '../../domain/content.ts'
import { shippedHome } from './shipped-home.ts'
import { shippedPrivacy } from './shipped-privacy.ts'
import { shippedReviews } from './shipped-reviews.ts'
import { shippedTerms } from './shipped-terms.ts'

/** Version 0: what the site says until its owner publishes something else. Its name and address are the environment's. */
export const shippedContent: ContentDocument = {
  identity: null,
  ...shippedHome,
  reviews: shippedReviews,
  privacy: shippedPrivacy,
  terms: shippedTerms,
}
