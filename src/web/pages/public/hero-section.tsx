import { Link } from 'wouter'
import type { HeroPictureView, HomeView, PictureView } from '../../../domain/content/content-views.ts'
import {
  bestFormat,
  isShipped,
  Picture,
  pictureSrcSet,
  smallWindow,
} from '../../features/content/picture.tsx'
import { Button } from '../../ui/button.tsx'
import { sectionWidth } from './section.tsx'

// A window that is taller than the picture's aspect ratio shows only its middle, enlarged.
function wideSizesOf(picture: PictureView): string {
  return `max(100vw, ${hasOwnSky(picture) ? 85 : Math.round((90 * picture.width) / picture.height)}vh)`
}
/** If a picture has no portrait crop, phones show a part of the whole picture. */
const narrowSizesOf = ({ phone, ...whole }: HeroPictureView) =>
  phone.path === whole.path ? wideSizesOf(whole) : '100vw'

/** The section's color continues the sky of the shipped picture. */
const hasOwnSky = (picture: PictureView) => isShipped(picture) && picture.id === 'hero'

/** The preloads in the document's head for this page, so that the hero does not wait for JavaScript. */
export function heroPreloads(picture: HeroPictureView) {
  const cuts = [
    { cut: picture.phone, media: smallWindow, imageSizes: narrowSizesOf(picture) },
    { cut: picture, media: '(min-width: 640.1px)', imageSizes: wideSizesOf(picture) },
  ]
  return cuts.flatMap(({ cut, imageSizes, media }) => {
    const best = bestFormat(cut)
    if (!best) return []
    const imageSrcSet = pictureSrcSet(cut, best.format)
    return [
      {
        rel: 'preload',
        as: 'image',
        type: best.type,
        fetchPriority: 'high',
        media,
        imageSrcSet,
        imageSizes,
      } as const,
    ]
  })
}

type HeroSectionProps = {
  hero: HomeView['hero']
  applyPath: string
  /** The lowest price per night, such as `$85`. */
  price?: string | undefined
  /** Reserves space for the price. */
  isPriceLoading?: boolean
}

export function HeroSection({ hero, applyPath, price, isPriceLoading }: HeroSectionProps) {
  const { picture } = hero
  const isOwnSky = hasOwnSky(picture)
  const hasScrim = !isOwnSky || !fitsTheSky(hero)
  return (
    <section aria-labelledby="hero-title" className="relative isolate overflow-hidden bg-[#c1cedb]">
      {/* The section's color continues the sky of the shipped picture, so that the text is always on sky. */}
      <div
        className={
          isOwnSky
            ? 'absolute inset-x-0 top-44 bottom-0 -z-10 [mask-image:linear-gradient(transparent,black_9rem)] lg:top-28'
            : 'absolute inset-0 -z-10'
        }
      >
        <Picture
          picture={picture}
          narrow={{ picture: picture.phone, media: smallWindow, sizes: narrowSizesOf(picture) }}
          sizes={wideSizesOf(picture)}
          alt=""
          loading="eager"
          fetchPriority="high"
          className={isOwnSky ? 'size-full object-cover object-top' : 'size-full object-cover'}
          {...(!isOwnSky && { style: { objectPosition: positionOf(hero.focal) } })}
        />
      </div>
      <div
        className={`${sectionWidth} flex min-h-[min(44rem,calc(100svh-4rem))] flex-col pt-12 pb-24 sm:pt-20 lg:min-h-[min(52rem,calc(100svh-4rem))]`}
      >
        <HeroWords hero={hero} hasScrim={hasScrim} price={price ?? (isPriceLoading ? '' : undefined)} />
        <div className={`${hasScrim ? 'mt-10' : 'mt-5'} flex flex-wrap gap-3`}>
          <Button asChild size="lg" className="tracking-wide shadow-overlay max-[400px]:px-5">
            <Link href={applyPath}>APPLY NOW</Link>
          </Button>
          <Button asChild size="lg" variant="secondary" className="border-transparent max-[400px]:px-5">
            <a href="#availability">Check dates</a>
          </Button>
        </div>
      </div>
    </section>
  )
}

/** The longest texts that fit on the sky of the shipped picture. */
const skyHolds = { eyebrow: 31, headline: 20, text: 113 }
const fitsTheSky = (hero: HomeView['hero']) =>
  (['eyebrow', 'headline', 'text'] as const).every(
    name => hero[name].length <= skyHolds[name] && !hero[name].includes('\n'),
  )

type HeroWordsProps = { hero: HomeView['hero']; hasScrim: boolean; price: string | undefined }

/** The texts; without enough sky they are on a light scrim, which makes them readable on any picture (PIC-16). */
function HeroWords({ hero, hasScrim, price }: HeroWordsProps) {
  return (
    <div className={hasScrim ? 'relative w-fit max-w-xl' : undefined}>
      {hasScrim && (
        <div
          aria-hidden
          className={`absolute -inset-x-3 -inset-y-5 -z-10 rounded-card sm:-inset-x-4 xl:-inset-x-6 ${scrim}`}
        />
      )}
      <p className="text-sm font-semibold tracking-[0.14em] text-navy uppercase">{hero.eyebrow}</p>
      <h1
        id="hero-title"
        className="mt-3 max-w-xl font-display text-[2.75rem] leading-[1.05] tracking-[-0.02em] text-navy-dark wrap-anywhere sm:text-[4rem]"
      >
        {hero.headline}
      </h1>
      <p className="mt-4 max-w-lg text-lg leading-snug whitespace-pre-line text-navy-dark sm:text-xl">
        {hero.text}
      </p>
      {price !== undefined && (
        <p className="mt-4 min-h-7 text-lg font-semibold text-navy-dark">
          {price && `From ${price} a night`}
        </p>
      )}
    </div>
  )
}

const scrim = 'bg-canvas/80 backdrop-blur-md'

/** Keeps the focal point visible if the window crops the picture. */
const positionOf = ({ x, y }: HomeView['hero']['focal']) => `${Math.round(x * 100)}% ${Math.round(y * 100)}%`
