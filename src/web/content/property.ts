/** What the home page says about the condo. Name and address come from the server's settings. */

export const hero = {
  eyebrow: 'Second floor, right on the sand',
  headline: 'Wake up to the ocean',
  text: 'A quiet two-bedroom condo with a wide balcony, ten feet from the beach. Come for a week, or stay the season.',
}

/** In numbers, for the facts below and for search engines. */
export const condo = { bedrooms: 2, bathrooms: 2, sleeps: 4, squareFeet: 990, floor: 2 }

export type Fact = { icon: 'bed' | 'bath' | 'guests' | 'area' | 'floor' | 'beach' | 'smoke'; text: string }

export const facts: Fact[] = [
  { icon: 'bed', text: `${condo.bedrooms} bedrooms` },
  { icon: 'bath', text: `${condo.bathrooms} bathrooms` },
  { icon: 'guests', text: `Sleeps ${condo.sleeps}` },
  { icon: 'area', text: `About ${condo.squareFeet} sq ft` },
  { icon: 'floor', text: 'Second floor' },
  { icon: 'beach', text: '10 feet from the beach' },
  { icon: 'smoke', text: 'Non-smoking' },
]

export const overview = {
  title: 'A home on the sand',
  /** Always shown. */
  intro: [
    'The glass doors slide open, and the room fills with the sound of the surf. This is a light, calm home of about 990 square feet on the second floor: high enough for the whole view, low enough to have sand on your feet a minute after breakfast.',
  ],
  /** Shown by 'Show More'. */
  more: [
    'Living, dining and kitchen share one open room that faces the water. There is a table for four, a full kitchen with an island for slow mornings, and a balcony with two good chairs where most evenings end.',
    'The primary bedroom has a king bed, its own bathroom with a walk-in shower, and doors to the balcony. The second bedroom has two twin beds and a view of its own; the second bathroom, with a tub, is next door. Four people sleep here comfortably.',
    'The beach begins ten feet from the building, over a wooden boardwalk through the dunes. The home is non-smoking throughout, the balcony included. You rent directly from the owner: apply here, hear back within a day or two, sign the lease and pay online.',
  ],
}

export const gettingHere = {
  title: 'Ten feet from the beach',
  text: 'Walk out of the building, cross the boardwalk, and you are there. No road to cross, no car to load.',
  mapNote: 'A sketch of the way to the water, not to scale.',
  walks: [
    { where: 'The sand', how: '10 feet from the building' },
    { where: 'The water', how: 'A short walk over the boardwalk' },
    { where: 'Your front door', how: 'Second floor' },
  ],
}
