import type { pictures } from './pictures.gen.ts'

/** While true, small print on the site says that the pictures are computer renders. */
export const picturesAreRenders = true

export const rendersNote =
  'The pictures and the video on this site are computer renders of a condo like this one, not photographs.'

export type GalleryPicture = { picture: keyof typeof pictures; caption: string; alt: string }

/** In the order in which the page shows them. `picture` is a file name in pictures/, without its ending. */
export const gallery: GalleryPicture[] = [
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
]
