import type { ContentDocument } from '../../../domain/content/content.ts'

/** Invented sample reviews, as placeholders for real ones. */
export const shippedReviews: ContentDocument['reviews'] = {
  title: 'What guests say',
  reviews: [
    {
      id: 'sample-margaret-h',
      name: 'Margaret H.',
      rating: 5,
      date: '2026-04-06',
      title: 'Slept with the doors open',
      content:
        'We came for the winter and the sound of the water became part of every night. The kitchen has all one needs for real cooking, and the owner answered each question the same day. We have already asked about next year.',
      stayed: 'January to March 2026',
      verified: true,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-david-and-lena-k',
      name: 'David and Lena K.',
      rating: 5,
      date: '2025-10-19',
      title: 'Even better than a hotel',
      content:
        'Our morning routine: coffee on the balcony, sand on our feet, back before the second cup was cold. The place was spotless and quiet.',
      stayed: 'October 2025',
      verified: true,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-priya-s',
      name: 'Priya S.',
      rating: 4,
      date: '2025-08-24',
      title: 'Perfect for the four of us',
      content:
        'The children loved having their own room with the twin beds and walking straight to the beach. In August the sun finds the living room early, so we drew the curtains until noon. We would come again in a heartbeat.',
      stayed: 'August 2025',
      verified: true,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-tom-b',
      name: 'Tom B.',
      rating: 5,
      date: '2025-06-11',
      title: 'Simple from start to finish',
      content:
        'Applied on a Sunday, approved on Monday, lease signed on my phone. Then three weeks of nothing but waves.',
      stayed: 'May 2025',
      verified: true,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-elaine-and-robert-m',
      name: 'Elaine and Robert M.',
      rating: 5,
      date: '2025-04-02',
      title: 'Our third winter here',
      content:
        'There is a reason why we keep coming back. The condo is kept with care, the bed is excellent, and evenings on the balcony with the lights on are what we talk about all summer at home.',
      stayed: 'February and March 2025',
      verified: true,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-jonas-w',
      name: 'Jonas W.',
      rating: 4,
      date: '2024-11-15',
      title: 'Worked from the dining table',
      content:
        'A month of remote work with this view did not feel like work. I would have liked a bigger desk, but the round table did the job well and the island was good for calls.',
      stayed: 'October and November 2024',
      verified: false,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-carla-d',
      name: 'Carla D.',
      rating: 5,
      date: '2024-09-08',
      title: 'Ten feet is ten feet',
      content:
        'I did not believe the distance to the beach until I had counted the steps myself. It is true.',
      stayed: 'September 2024',
      verified: true,
      sample: true,
      applicationId: null,
    },
    {
      id: 'sample-the-nguyen-family',
      name: 'The Nguyen family',
      rating: 5,
      date: '2024-07-21',
      title: 'A week we still talk about',
      content:
        'Grandmother took the armchair on the balcony on the first day and did not give it back. Two bathrooms make all the difference with a family, and everything we needed was already in the kitchen.',
      stayed: 'July 2024',
      verified: true,
      sample: true,
      applicationId: null,
    },
  ],
}
