import { searchEngineReviews } from '../../../domain/content/content-reviews.ts'
import type { HomeView } from '../../../domain/content/content-views.ts'
import type { Rate } from '../../../domain/money/rate.ts'
import type { Site } from '../../api/site.ts'
import { pictureUrl } from '../../features/content/picture.tsx'

/** Structured data of the home page for search engines (schema.org, VacationRental). */
export function vacationRental(site: Site, home: HomeView, rates: readonly Rate[], origin: string) {
  const { amenities, facts, gallery, hero, reviews } = home
  return {
    '@context': 'https://schema.org',
    '@type': 'VacationRental',
    '@id': `${origin}/#rental`,
    identifier: new URL(origin).host,
    additionalType: 'Apartment',
    name: site.propertyName,
    description: hero.text,
    url: `${origin}/`,
    image: gallery.pictures.flatMap(({ picture }) => {
      const path = pictureUrl(picture, 'jpg')
      return path === undefined ? [] : [`${origin}${path}`]
    }),
    address: site.propertyAddress,
    email: site.ownerEmail,
    telephone: site.ownerPhone,
    currenciesAccepted: 'USD',
    containsPlace: {
      '@type': 'Accommodation',
      additionalType: 'EntirePlace',
      occupancy: { '@type': 'QuantitativeValue', value: facts.sleeps },
      numberOfBedrooms: facts.bedrooms,
      numberOfBathroomsTotal: facts.bathrooms,
      floorLevel: String(facts.floor),
      floorSize: { '@type': 'QuantitativeValue', value: facts.squareFeet, unitCode: 'FTK' },
      amenityFeature: amenities.groups
        .flatMap(group => group.items)
        .map(name => ({ '@type': 'LocationFeatureSpecification', name, value: true })),
    },
    makesOffer: rates.filter(rate => rate.endDate >= site.today).flatMap(offers),
    ...guestReviews(reviews),
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

/** Real reviews only; the samples are made up. */
function guestReviews({ rating, reviews }: HomeView['reviews']) {
  const found = searchEngineReviews(reviews)
  if (!found) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: rating?.average.toFixed(1) ?? found.average,
      ...(rating && { ratingCount: rating.count }),
      reviewCount: found.count,
      bestRating: 5,
    },
    review: found.reviews.slice(0, rating ? 10 : undefined).map(review => ({
      '@type': 'Review',
      author: { '@type': 'Person', name: review.name },
      datePublished: review.date,
      ...(review.title && { name: review.title }),
      reviewBody: review.content,
      reviewRating: { '@type': 'Rating', ratingValue: review.rating, bestRating: 5 },
    })),
  }
}
