// Written by `npm run pictures`; do not edit.

export const pictures = {
  '01-beachfront-exterior': {
    path: '/pictures/01-beachfront-exterior-34a9bf68',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjgAAABXRUJQVlA4ICwAAADQAQCdASoMAAgABUB8JZgCdH8AE6q1IAD+UyGYlulHN5S/zpcMgy+7s5AAAA==',
  },
  '02-balcony-ocean': {
    path: '/pictures/02-balcony-ocean-7f24b4c5',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjoAAABXRUJQVlA4IC4AAADwAQCdASoMAAgABUB8JYwC7AEO05qAjgAA/o4rikAGJCmopvu5gdZP/V1IegAA',
  },
  '03-living-room': {
    path: '/pictures/03-living-room-4bf854c9',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjgAAABXRUJQVlA4ICwAAACwAQCdASoMAAgABUB8JZACdAEON3sAAP7DV73MfWM8LGUt+3Xp16mRNAAAAA==',
  },
  '04-living-dining': {
    path: '/pictures/04-living-dining-cb3851ac',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRj4AAABXRUJQVlA4IDIAAADQAQCdASoMAAgABUB8JZgCdAC9hrLk4AD+luCRX1dKh0vJ50mDjeKD6xbhVuGqxsAAAA==',
  },
  '05-kitchen': {
    path: '/pictures/05-kitchen-14e2ce9b',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjgAAABXRUJQVlA4ICwAAADwAQCdASoMAAgABUB8JZAC7ADcH3LwRIAA/rGOKL4vIqqUNPDW7pX6KDaAAA==',
  },
  '06-primary-bedroom': {
    path: '/pictures/06-primary-bedroom-e337cded',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjwAAABXRUJQVlA4IDAAAADwAQCdASoMAAgABUB8JYgCdADdc8vVdwAA/sjDVjzJVz7xp/LQ+EobkOCH4s5dIAA=',
  },
  '07-primary-bath': {
    path: '/pictures/07-primary-bath-72b8d801',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjYAAABXRUJQVlA4ICoAAADQAQCdASoMAAgABUB8JaAC7AELQitrAAD+3ok5tDGH3oxIo5OolWwTYAA=',
  },
  '08-second-bedroom': {
    path: '/pictures/08-second-bedroom-0e3398d9',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRj4AAABXRUJQVlA4IDIAAADwAQCdASoMAAgABUB8JZAC7ACqqkeTaAAA/tajySfCGIzivufWdojJnXLQJGqpkAAAAA==',
  },
  '09-second-bath': {
    path: '/pictures/09-second-bath-fd1d8219',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjwAAABXRUJQVlA4IDAAAACwAQCdASoMAAgABUB8JQBdgCFnjIzAAP7FFcsQHtVwjNh4woK9NW2FQGk4RhUQIAA=',
  },
  '10-boardwalk-path': {
    path: '/pictures/10-boardwalk-path-08270ce3',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjgAAABXRUJQVlA4ICwAAADQAQCdASoMAAgABUB8JQBOgCHPLtW9AAD+sBn8TXA4G8MiXGDvjiyOkrIAAA==',
  },
  '11-beach-sunrise': {
    path: '/pictures/11-beach-sunrise-421ebbbc',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjoAAABXRUJQVlA4IC4AAADQAQCdASoMAAgABUB8JQBOgCFrjir2gAD+yKfzdJXe4UlCA0rkVjKifux7XAAA',
  },
  '12-balcony-evening': {
    path: '/pictures/12-balcony-evening-e0ba762e',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRjYAAABXRUJQVlA4ICoAAADQAQCdASoMAAgABUB8JaACdAEO4QBsAAD924fhtCY1aL7ItzdiDmc1wAA=',
  },
  'contact-poster': {
    path: '/pictures/contact-poster-b3f57800',
    width: 1280,
    height: 720,
    widths: [1280],
    jpegWidths: [1280],
    placeholder:
      'data:image/webp;base64,UklGRjQAAABXRUJQVlA4ICgAAACQAQCdASoMAAcABUB8JQBOgBrZVBAA/lP+PdyDaumZlylSOlQCYgAA',
  },
  hero: {
    path: '/pictures/hero-37e45d82',
    width: 2400,
    height: 1350,
    widths: [960, 1440, 1920, 2400],
    jpegWidths: [1440, 2400],
    placeholder:
      'data:image/webp;base64,UklGRjIAAABXRUJQVlA4ICYAAADwAQCdASoMAAcABUB8JYwC7AEUov+5AAAA/rII52fSOBIaclgAAA==',
  },
  'hero-tall': {
    path: '/pictures/hero-tall-d3d8fe0b',
    width: 960,
    height: 1350,
    widths: [480, 720, 960],
    jpegWidths: [960],
    placeholder:
      'data:image/webp;base64,UklGRkQAAABXRUJQVlA4IDgAAADwAgCdASoMABEAPzmGuVOvKKWisAgB4CcJZwDDNDBsAAD+48z89sUh7arv3Wyhmi/cuOu4s+AAAA==',
  },
}
