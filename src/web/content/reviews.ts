export type Review = {
  name: string
  /** 1 to 5 */
  rating: 1 | 2 | 3 | 4 | 5
  /** When it was written, year-month-day. */
  date: string
  title: string
  content: string
  /** Whether you know that this person really stayed. */
  verified: boolean
  /** When they stayed, in words. */
  stayed: string
}

/**
 * True while the reviews below are the invented ones that ship with the site: the page then says so. Replace them
 * with what your guests really wrote, and set this to false.
 */
export const reviewsAreSamples = true

export const samplesNote =
  'These are sample reviews. They show where the words of real guests will stand, and were not written by guests.'

/** Newest first. */
export const reviews: Review[] = [
  {
    name: 'Margaret H.',
    rating: 5,
    date: '2026-04-06',
    title: 'Slept with the doors open',
    content:
      'We came for the winter and the sound of the water became part of every night. The kitchen has all one needs for real cooking, and the owner answered each question the same day. We have already asked about next year.',
    verified: true,
    stayed: 'January to March 2026',
  },
  {
    name: 'David and Lena K.',
    rating: 5,
    date: '2025-10-19',
    title: 'Even better than a hotel',
    content:
      'Our morning routine: coffee on the balcony, sand on our feet, back before the second cup was cold. The place was spotless and quiet.',
    verified: true,
    stayed: 'October 2025',
  },
  {
    name: 'Priya S.',
    rating: 4,
    date: '2025-08-24',
    title: 'Perfect for the four of us',
    content:
      'The children loved having their own room with the twin beds and walking straight to the beach. In August the sun finds the living room early, so we drew the curtains until noon. We would come again in a heartbeat.',
    verified: true,
    stayed: 'August 2025',
  },
  {
    name: 'Tom B.',
    rating: 5,
    date: '2025-06-11',
    title: 'Simple from start to finish',
    content:
      'Applied on a Sunday, approved on Monday, lease signed on my phone. Then three weeks of nothing but waves.',
    verified: true,
    stayed: 'May 2025',
  },
  {
    name: 'Elaine and Robert M.',
    rating: 5,
    date: '2025-04-02',
    title: 'Our third winter here',
    content:
      'There is a reason why we keep coming back. The condo is kept with care, the bed is excellent, and evenings on the balcony with the lights on are what we talk about all summer at home.',
    verified: true,
    stayed: 'February and March 2025',
  },
  {
    name: 'Jonas W.',
    rating: 4,
    date: '2024-11-15',
    title: 'Worked from the dining table',
    content:
      'A month of remote work with this view did not feel like work. I would have liked a bigger desk, but the round table did the job well and the island was good for calls.',
    verified: false,
    stayed: 'October and November 2024',
  },
  {
    name: 'Carla D.',
    rating: 5,
    date: '2024-09-08',
    title: 'Ten feet is ten feet',
    content: 'I did not believe the distance to the beach until I had counted the steps myself. It is true.',
    verified: true,
    stayed: 'September 2024',
  },
  {
    name: 'The Nguyen family',
    rating: 5,
    date: '2024-07-21',
    title: 'A week we still talk about',
    content:
      'Grandmother took the armchair on the balcony on the first day and did not give it back. Two bathrooms make all the difference with a family, and everything we needed was already in the kitchen.',
    verified: true,
    stayed: 'July 2024',
  },
]
