import { Link } from 'wouter'
import { hero } from '../../content/property.ts'
import { Button } from '../../ui/button.tsx'
import { Picture, type PictureName, pictureSrcSet } from './picture.tsx'
import { sectionWidth } from './section.tsx'

const wide: PictureName = 'hero'
const narrow = { name: 'hero-tall', media: '(max-width: 640px)', sizes: '100vw' } as const
// A window higher than the picture's shape shows only its middle, enlarged.
const wideSizes = 'max(100vw, 85vh)'

/** What the document's head preloads for this page, so that the hero does not wait for the script. */
export const heroPreloads = [
  { media: narrow.media, imageSrcSet: pictureSrcSet(narrow.name, 'avif'), imageSizes: narrow.sizes },
  { media: '(min-width: 640.1px)', imageSrcSet: pictureSrcSet(wide, 'avif'), imageSizes: wideSizes },
].map(link => ({ rel: 'preload', as: 'image', type: 'image/avif', fetchPriority: 'high', ...link }) as const)

export function HeroSection() {
  return (
    <section aria-labelledby="hero-title" className="relative isolate overflow-hidden bg-[#c1cedb]">
      {/* The section's color continues the picture's sky, so that the text is always on sky. */}
      <div className="absolute inset-x-0 top-44 bottom-0 -z-10 [mask-image:linear-gradient(transparent,black_9rem)] sm:top-28">
        <Picture
          name={wide}
          narrow={narrow}
          sizes={wideSizes}
          alt=""
          loading="eager"
          fetchPriority="high"
          className="size-full object-cover object-top"
        />
      </div>
      <div
        className={`${sectionWidth} flex min-h-[min(44rem,calc(100svh-4rem))] flex-col pt-12 pb-24 sm:pt-20 lg:min-h-[min(52rem,calc(100svh-4rem))]`}
      >
        <p className="text-sm font-semibold tracking-[0.14em] text-navy uppercase">{hero.eyebrow}</p>
        <h1
          id="hero-title"
          className="mt-3 max-w-xl font-display text-[2.75rem] leading-[1.05] tracking-[-0.02em] text-navy-dark sm:text-[4rem]"
        >
          {hero.headline}
        </h1>
        <p className="mt-4 max-w-lg text-lg leading-snug text-navy-dark sm:text-xl">{hero.text}</p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Button asChild size="lg" className="tracking-wide shadow-overlay max-[400px]:px-5">
            <Link href="/register">APPLY NOW</Link>
          </Button>
          <Button asChild size="lg" variant="secondary" className="border-transparent max-[400px]:px-5">
            <a href="#availability">See free dates</a>
          </Button>
        </div>
      </div>
    </section>
  )
}
