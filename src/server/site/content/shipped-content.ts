import type { Db, Tx } from '../../../../db/open.ts'
import type { ContentDocument } from '../../../domain/content/content.ts'
import type { Config } from '../../kernel/config.ts'
import { wasNew } from '../../kernel/opening.ts'
import { shippedPrivacy, shippedTerms } from './shipped-legal.ts'
import { shippedReviews } from './shipped-reviews.ts'

/** The shipped content, except reviews and legal pages. */
const shippedHome: Omit<ContentDocument, 'identity' | 'reviews' | 'privacy' | 'terms'> = {
  search: { title: '', description: '' },
  hero: {
    eyebrow: 'Second floor, right on the sand',
    headline: 'Wake up to the ocean',
    text: 'A quiet two-bedroom condo with a wide balcony, ten feet from the beach. Come for a week, or stay the season.',
    picture: 'hero',
    alt: 'Waves rolling onto the sand',
    focal: { x: 0.3, y: 0 },
  },
  overview: {
    title: 'A home on the sand',
    intro:
      'The glass doors slide open, and the room fills with the sound of the surf. This is a light, calm home of about 990 square feet on the second floor: high enough for the whole view, low enough to have sand on your feet a minute after breakfast.',
    more: `Living, dining and kitchen share one open room that faces the water. There is a table for four, a full kitchen with an island for slow mornings, and a balcony with two good chairs where most evenings end.

The primary bedroom has a king bed, its own bathroom with a walk-in shower, and doors to the balcony. The second bedroom has two twin beds and a view of its own; the second bathroom, with a tub, is next door. Four people sleep here comfortably.

The beach begins ten feet from the building, over a wooden boardwalk through the dunes. The home is non-smoking throughout, the balcony included. You rent directly from the owner: apply here, hear back within a day or two, sign the lease and pay online.`,
    picture: '02-balcony-ocean',
    alt: 'Two rattan chairs on the balcony, facing the sea',
  },
  facts: {
    bedrooms: 2,
    bathrooms: 2,
    sleeps: 4,
    squareFeet: 990,
    floor: 2,
    items: [
      { icon: 'bed', text: '2 bedrooms' },
      { icon: 'bath', text: '2 bathrooms' },
      { icon: 'guests', text: 'Sleeps 4' },
      { icon: 'area', text: 'About 990 sq ft' },
      { icon: 'floor', text: 'Second floor' },
      { icon: 'beach', text: '10 feet from the beach' },
      { icon: 'smoke', text: 'Non-smoking' },
    ],
  },
  gallery: {
    title: 'Have a look around',
    pictures: [
      {
        picture: '01-beachfront-exterior',
        caption: 'The building from the sand at golden hour',
        alt: 'White three-storey beachfront building with wide balconies, palms and two umbrellas on the sand in warm evening light',
      },
      {
        picture: '02-balcony-ocean',
        caption: 'Your balcony: two chairs and the whole ocean',
        alt: 'Two rattan chairs and a small round table on a covered balcony, facing the sea over a cable railing',
      },
      {
        picture: '03-living-room',
        caption: 'Living room, open to the sea',
        alt: 'Bright living room with a linen sofa, rattan chairs and wide sliding glass doors looking onto the ocean',
      },
      {
        picture: '04-living-dining',
        caption: 'Dining for four, with the view',
        alt: 'Round oak dining table with four chairs under a woven pendant, the living area and the ocean beyond',
      },
      {
        picture: '05-kitchen',
        caption: 'A full kitchen with island seating',
        alt: 'Kitchen with sea-glass green cabinets, a navy island with three stools, brass details and woven pendants',
      },
      {
        picture: '06-primary-bedroom',
        caption: 'Primary bedroom: king bed and balcony doors',
        alt: 'King bed with white linen and a navy throw, a rattan chair and sliding doors to the ocean',
      },
      {
        picture: '07-primary-bath',
        caption: 'Primary bathroom: double vanity and walk-in shower',
        alt: 'Oak double vanity with round brass mirrors beside a glass walk-in shower in sea-glass tile',
      },
      {
        picture: '08-second-bedroom',
        caption: 'Second bedroom: two twin beds',
        alt: 'Two twin beds with white bedding and navy striped throws, a window with a sea view',
      },
      {
        picture: '09-second-bath',
        caption: 'Second bathroom with tub and shower',
        alt: 'Bathroom with navy beadboard, an oak vanity with a round mirror, and a tub with a striped curtain',
      },
      {
        picture: '10-boardwalk-path',
        caption: 'The path to the water',
        alt: 'Wooden boardwalk with rope rails leading through dunes and sea oats to a blue sea',
      },
      {
        picture: '11-beach-sunrise',
        caption: 'Sunrise on the beach',
        alt: 'Low sun over the sea, its light reflected in wet sand as small waves come in',
      },
      {
        picture: '12-balcony-evening',
        caption: 'Evening on the balcony',
        alt: 'Balcony at dusk with string lights, lanterns and cushioned rattan chairs, the last sunset colour over the sea',
      },
    ],
  },
  rates: {
    title: 'What a stay costs',
    intro: 'In US dollars. Weekly prices from 7 nights, monthly prices from 28.',
  },
  availability: {
    title: 'Find your dates',
    intro: 'Pick your arrival and departure, and see which nights are free.',
  },
  amenities: {
    title: 'All that a good stay needs',
    groups: [
      {
        icon: 'view',
        title: 'Balcony and beach',
        items: [
          'Covered balcony facing the ocean',
          'Two armchairs and a table',
          'Boardwalk to the sand',
          'Beach 10 feet away',
        ],
      },
      {
        icon: 'living',
        title: 'Living and dining',
        items: [
          'Sofa and two armchairs',
          'Dining table for four',
          'Sliding glass doors with sea view',
          'Ceiling fan',
        ],
      },
      {
        icon: 'kitchen',
        title: 'Kitchen',
        items: [
          'Full kitchen with range and hood',
          'Island with three stools',
          'Cookware and tableware for four',
          'Coffee maker and kettle',
        ],
      },
      {
        icon: 'bed',
        title: 'Two bedrooms',
        items: [
          'Primary: king bed and balcony doors',
          'Second: two twin beds',
          'Bed linen and towels',
          'Curtains in both bedrooms',
        ],
      },
      {
        icon: 'bath',
        title: 'Two bathrooms',
        items: ['Primary: double vanity', 'Primary: walk-in shower', 'Second: tub with shower', 'Hair dryer'],
      },
      {
        icon: 'rules',
        title: 'Good to know',
        items: ['Non-smoking, balcony included', 'Sleeps 4', 'Second floor', 'Rented directly by the owner'],
      },
    ],
  },
  houseRules: {
    showOnPage: false,
    rules: [
      'The Premises are used as a private home only, and for nothing that is against the law.',
      'Quiet hours are from 10 PM to 8 AM. Parties and events are not permitted.',
      "Pets are not permitted without the Landlord's written consent. Assistance animals are welcome as the law provides.",
      'The Tenant may not sublet the Premises, lend them, or offer them to others in any way.',
      'The Tenant parks only where the Landlord or the building has assigned a space.',
      'The Tenant follows the rules of the condominium association, which are at hand in the Premises, and answers for everybody whom the Tenant lets in.',
    ],
  },
  location: {
    title: 'Ten feet from the beach',
    text: 'Walk out of the building, cross the boardwalk, and you are there. No road to cross, no car to load.',
    map: 'sketch',
    picture: null,
    alt: '',
    note: 'A sketch of the way to the water, not to scale.',
    walks: [
      { where: 'The sand', how: '10 feet from the building' },
      { where: 'The water', how: 'A short walk over the boardwalk' },
      { where: 'Your front door', how: 'Second floor' },
    ],
  },
  contact: {
    text: 'Questions about the condo, your dates or an application? Write to us. The owner answers personally.',
    directTitle: 'Reach the owner directly',
    directText: 'Prefer email or the phone? That works just as well.',
    background: 'video',
    picture: null,
  },
  waysToPay: {
    ways: [
      {
        name: 'Zelle',
        instructions: 'Send to {ownerEmail} from your bank’s app, with your application number in the memo.',
      },
      {
        name: 'Venmo',
        instructions:
          'Ask for the account at {ownerEmail}, then pay with your application number in the note.',
      },
      {
        name: 'Money order',
        instructions:
          'Made out to {companyName}. Ask for the mailing address at {ownerEmail}, and keep the stub.',
      },
      {
        name: 'Wire transfer',
        instructions:
          'Ask for the bank details at {ownerEmail}, and confirm them by phone at {ownerPhone} before you send money.',
      },
      {
        name: 'Stablecoin (USDC)',
        instructions:
          'Ask for the address and network at {ownerEmail}. Send a small amount first, and wait until it is confirmed.',
      },
      {
        name: 'Check',
        instructions:
          'Made out to {companyName}, with your application number on the memo line. Ask for the mailing address at {ownerEmail}.',
      },
    ],
  },
}

/** Version 0: the content until the owner publishes something else. Name and address come from the environment. */
export const shippedContent: ContentDocument = {
  identity: null,
  ...shippedHome,
  reviews: shippedReviews,
  privacy: shippedPrivacy,
  terms: shippedTerms,
}

const { amenities, gallery, hero, location, overview } = shippedHome

/** The pictures of a new site, with captions that say nothing of the example's rooms. */
const newSiteCaptions: Record<string, string> = {
  '01-beachfront-exterior': 'The building',
  '03-living-room': 'Living room',
  '05-kitchen': 'Kitchen',
  '06-primary-bedroom': 'Bedroom',
  '07-primary-bath': 'Bathroom',
  '11-beach-sunrise': 'The beach',
}
const newSitePictures = gallery.pictures.flatMap(picture => {
  const caption = newSiteCaptions[picture.picture ?? '']
  return caption === undefined ? [] : [{ ...picture, caption }]
})

/**
 * Version 0 of a new production site: without the example's facts, which the owner enters before publishing, and without
 * sample reviews (OPEN-05).
 */
const newSiteContent: ContentDocument = {
  ...shippedContent,
  search: { title: 'vacation rental', description: '' },
  hero: { ...hero, eyebrow: '', text: '' },
  overview: { ...overview, intro: '', more: '' },
  facts: { bedrooms: 0, bathrooms: 0, sleeps: 1, squareFeet: 0, floor: 0, items: [] },
  gallery: { ...gallery, pictures: newSitePictures },
  amenities: { ...amenities, groups: [] },
  location: { ...location, title: 'Where you will stay', text: '', map: 'none', note: '', walks: [] },
  reviews: { ...shippedReviews, reviews: [] },
  // Money is asked for only in ways that the owner has seen.
  waysToPay: { ways: [] },
}

/** Version 0 of this site. */
export const originalContent = (config: Pick<Config, 'mode'>, db: Db | Tx): ContentDocument =>
  wasNew(config, db) ? newSiteContent : shippedContent
