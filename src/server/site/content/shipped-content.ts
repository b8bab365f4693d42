import type { ContentDocument } from '../../../domain/content/content.ts'
import { shippedHome } from './shipped-home.ts'
import { shippedPrivacy } from './shipped-privacy.ts'
import { shippedReviews } from './shipped-reviews.ts'
import { shippedTerms } from './shipped-terms.ts'

/** Version 0: the content until the owner publishes something else. Name and address come from the environment. */
export const shippedContent: ContentDocument = {
  identity: null,
  ...shippedHome,
  reviews: shippedReviews,
  privacy: shippedPrivacy,
  terms: shippedTerms,
}
