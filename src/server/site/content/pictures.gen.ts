// Written by `npm run pictures`; do not edit.

export const pictures = {
  '01-beachfront-exterior': {
    path: '/pictures/01-beachfront-exterior-34a9bf68',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkwAAABXRUJQVlA4IEAAAADQAQCdASoMAAgAAoBCJZgCdADdgKQYAAD+34dJK5ayPPrDqbNMJp+5V4hRLq9jGJb/MMrnDFkYbodmeDKspRAA',
  },
  '02-balcony-ocean': {
    path: '/pictures/02-balcony-ocean-7f24b4c5',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkYAAABXRUJQVlA4IDoAAADwAQCdASoMAAgAAoBCJYwCdAEUmfv22IAA/ug0PamkFpGc+lLxVqm7qUllK/TkFIQ2qMm88bLIAAAA',
  },
  '03-living-room': {
    path: '/pictures/03-living-room-4bf854c9',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkwAAABXRUJQVlA4IEAAAADwAQCdASoMAAgAAoBCJZACdAELM4d+QagA/u/Mc0yTQ2xhMX8vIUassTXjusI/XguhtueyUSAz7Clvi9i8AAAA',
  },
  '04-living-dining': {
    path: '/pictures/04-living-dining-cb3851ac',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRlQAAABXRUJQVlA4IEgAAADwAQCdASoMAAgAAoBCJZgCdADdZevyZgAA/uuZmK0rGkIoRQd9cPC4PcmrNjPvV7r/+V8xyyONAWTskmMlzmgkt+MMmhgAAAA=',
  },
  '05-kitchen': {
    path: '/pictures/05-kitchen-14e2ce9b',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkwAAABXRUJQVlA4IEAAAADQAQCdASoMAAgAAoBCJZACdADcEV/6AAD+8BlJRl1djpEw7WRZOh7X8CgOCaVtiE5RMg0q+ujaiUnbbMYa0AAA',
  },
  '06-primary-bedroom': {
    path: '/pictures/06-primary-bedroom-e337cded',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRlYAAABXRUJQVlA4IEoAAADQAQCdASoMAAgAAoBCJYgCdACRwhxMAAD+8n7UV/Rrlt89wsWWoFa3fI3IDxPEiamJmra9KI8jR1gx5vy5RRbLN6LLyLQ1SgAAAA==',
  },
  '07-primary-bath': {
    path: '/pictures/07-primary-bath-72b8d801',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkYAAABXRUJQVlA4IDoAAADQAQCdASoMAAgAAoBCJaACdAELRx5feAD+9hnfqy3C8utIRNJMBX+WuPtzMgVVstTNnbyjCskLuAAA',
  },
  '08-second-bedroom': {
    path: '/pictures/08-second-bedroom-0e3398d9',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRlAAAABXRUJQVlA4IEQAAAAQAgCdASoMAAgAAoBCJZACdAD1b7wSKZsAAP71PsqGi1L0Q6QeZbAJrT8e0cZQNXI1wz2XqvCKZbh1sDYoRUDhHgAAAA==',
  },
  '09-second-bath': {
    path: '/pictures/09-second-bath-fd1d8219',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRlYAAABXRUJQVlA4IEoAAADQAQCdASoMAAgAAoBCJQBOgCKKjB19IAD+8jv5wQxI7ZgyO57vntp9ZPhFegwmoIUcY64I0d2SEkJlHpcCk+Nb4+ieR9zR/EYAAA==',
  },
  '10-boardwalk-path': {
    path: '/pictures/10-boardwalk-path-08270ce3',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkAAAABXRUJQVlA4IDQAAADQAQCdASoMAAgAAoBCJQBOgCHPLyTCgAD+7+W+Qo8uHoAq5ms/EhET0a4CxfWpHAE3nAAA',
  },
  '11-beach-sunrise': {
    path: '/pictures/11-beach-sunrise-421ebbbc',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkgAAABXRUJQVlA4IDwAAADwAQCdASoMAAgAAoBCJQBOgCHclWDC1AAA/vJ+b5vk5i7JLDZIPz8RC8HlvwZX5mFL3LRJHgSVqzCAAAA=',
  },
  '12-balcony-evening': {
    path: '/pictures/12-balcony-evening-e0ba762e',
    width: 1600,
    height: 1067,
    widths: [400, 800, 1200, 1600],
    jpegWidths: [800, 1200],
    placeholder:
      'data:image/webp;base64,UklGRkgAAABXRUJQVlA4IDwAAADwAQCdASoMAAgAAoBCJaACdAEPR4JSM4AA/sjnwqa/pPVu3a+lLH0Vo3YDMHW1H8FkcUKIhkrZHWqgAAA=',
  },
  'contact-poster': {
    path: '/pictures/contact-poster-05fc0714',
    width: 1280,
    height: 720,
    widths: [1280],
    jpegWidths: [1280],
    placeholder:
      'data:image/webp;base64,UklGRkAAAABXRUJQVlA4IDQAAAAQAgCdASoMAAcAAoBCJQBOj+ACu64ozNgAAP7W2D4OD63wMxiDs4lPuQNU13shmNC7NcAA',
  },
  hero: {
    path: '/pictures/hero-37e45d82',
    width: 2400,
    height: 1350,
    widths: [960, 1440, 1920, 2400],
    jpegWidths: [1440, 2400],
    placeholder:
      'data:image/webp;base64,UklGRjoAAABXRUJQVlA4IC4AAADQAQCdASoMAAcAAoBCJYwCdAEPDVC24AD+7bJGqOuyCqERYBW8KlSbDHzHGPQA',
  },
  'hero-tall': {
    path: '/pictures/hero-tall-d2a7770f',
    width: 960,
    height: 1350,
    widths: [480, 768, 960],
    jpegWidths: [960],
    placeholder:
      'data:image/webp;base64,UklGRloAAABXRUJQVlA4IE4AAABwAwCdASoMABEAPrVInkmnJCKhMAgA4BaJZwCw7CHcNWN27YAA/urVRG7AroDRywXDr41OMpnF7kRxGyzx+qEprZO+/CiZcE/SxjsAAAA=',
  },
}
