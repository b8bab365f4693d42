import type { Rate } from '../../../domain/rate.ts'
import type { Site } from '../../api/site.ts'
import { amenities } from '../../content/amenities.ts'
import { gallery } from '../../content/gallery.ts'
import { pictures } from '../../content/pictures.gen.ts'
import { condo, hero } from '../../content/property.ts'
import { reviews, reviewsAreSamples } from '../../content/reviews.ts'

/** The home page for search engines (schema.org, VacationRental). */
export function vacationRental(site: Site, rates: readonly Rate[], origin: string) {
  return {
    '@context': 'https://schema.org',
    '@type': 'VacationRental',
    '@id': `${origin}/#rental`,
    identifier: new URL(origin).host,
    additionalType: 'Apartment',
    name: site.propertyName,
    description: hero.text,
    url: `${origin}/`,
    image: gallery.map(({ picture }) => `${origin}${largestJpeg(picture)}`),
    address: site.propertyAddress,
    email: site.ownerEmail,
    telephone: site.ownerPhone,
    currenciesAccepted: 'USD',
    containsPlace: {
      '@type': 'Accommodation',
      additionalType: 'EntirePlace',
      occupancy: { '@type': 'QuantitativeValue', value: condo.sleeps },
      numberOfBedrooms: condo.bedrooms,
      numberOfBathroomsTotal: condo.bathrooms,
      floorLevel: String(condo.floor),
      floorSize: { '@type': 'QuantitativeValue', value: condo.squareFeet, unitCode: 'FTK' },
      amenityFeature: amenities
        .flatMap(group => group.items)
        .map(name => ({ '@type': 'LocationFeatureSpecification', name, value: true })),
    },
    makesOffer: rates.filter(rate => rate.endDate >= site.today).flatMap(offers),
    ...(reviewsAreSamples ? {} : guestReviews()),
  }
}

const prices = [
  ['nightly', 'DAY', 'night'],
  ['weekly', 'WEE', 'week'],
  ['monthly', 'MON', 'month'],
] as const

/** One offer for each price of a period. */
function offers(rate: Rate) {
  return prices.flatMap(([key, unitCode, unit]) => {
    const price = rate[key]
    if (price === null) return []
    return {
      '@type': 'Offer',
      name: `${rate.period}, per ${unit}`,
      availabilityStarts: rate.startDate,
      availabilityEnds: rate.endDate,
      eligibleDuration: { '@type': 'QuantitativeValue', minValue: rate.minStay, unitCode: 'DAY' },
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: price.toFixed(2),
        priceCurrency: 'USD',
        unitCode,
      },
    }
  })
}

/** Never called for sample reviews, which no guest wrote. */
function guestReviews() {
  if (reviews.length === 0) return {}
  const rating = reviews.reduce((sum, review) => sum + review.rating, 0) / reviews.length
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: rating.toFixed(1),
      reviewCount: reviews.length,
      bestRating: 5,
    },
    review: reviews.map(review => ({
      '@type': 'Review',
      author: { '@type': 'Person', name: review.name },
      datePublished: review.date,
      name: review.title,
      reviewBody: review.content,
      reviewRating: { '@type': 'Rating', ratingValue: review.rating, bestRating: 5 },
    })),
  }
}

function largestJpeg(name: keyof typeof pictures): string {
  const { path, jpegWidths } = pictures[name]
  return `${path}-${Math.max(...jpegWidths)}.jpg`
}
