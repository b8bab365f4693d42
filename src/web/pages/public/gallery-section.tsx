import { lazy, type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { Picture, pictureUrl } from '../../features/content/picture.tsx'
import { withUniqueKeys } from '../../ui/unique-keys.ts'
import { Section } from './section.tsx'

const loadViewer = () => import('./gallery-viewer.tsx')
const GalleryViewer = lazy(() => loadViewer().then(module => ({ default: module.GalleryViewer })))

/** The grid class of a picture that takes four cells of the wide grid: the first, and in a large gallery one more. */
const largeOf = (index: number, count: number): string | undefined => {
  if (index === 0) return 'col-span-2 lg:row-span-2'
  return index === 9 && count > 11 ? 'col-span-2 lg:row-span-2 lg:col-start-2' : undefined
}

type GallerySectionProps = Pick<HomeView, 'gallery'> & { note?: ReactNode }

export function GallerySection({ gallery, note }: GallerySectionProps) {
  const { pictures } = gallery
  const [shown, setShown] = useState<number>()
  const opener = useRef<HTMLElement>(null)

  const open = (event: MouseEvent<HTMLElement>, index: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    opener.current = event.currentTarget
    setShown(index)
  }

  return (
    <Section id="gallery" eyebrow="Gallery" title={gallery.title} className="bg-shell">
      <ul className="grid grid-flow-dense grid-cols-2 gap-x-3 gap-y-5 sm:gap-x-5 sm:gap-y-7 lg:grid-cols-3">
        {withUniqueKeys(pictures, ({ picture }) => picture.id).map(({ key, item }, index) => (
          <li key={key} className={largeOf(index, pictures.length)}>
            <GalleryFigure
              shown={item}
              isLarge={largeOf(index, pictures.length) !== undefined}
              onOpen={event => open(event, index)}
            />
          </li>
        ))}
      </ul>
      {note}
      {shown !== undefined && (
        <Suspense>
          <GalleryViewer
            pictures={pictures}
            shown={shown}
            onShow={setShown}
            onClose={() => setShown(undefined)}
            returnFocusTo={opener}
          />
        </Suspense>
      )}
    </Section>
  )
}

type GalleryFigureProps = {
  shown: HomeView['gallery']['pictures'][number]
  isLarge: boolean
  onOpen: (event: MouseEvent<HTMLElement>) => void
}

function GalleryFigure({ shown: { picture, caption, alt }, isLarge, onOpen }: GalleryFigureProps) {
  return (
    <figure className="flex h-full flex-col">
      {/* A link to the picture file, for browsers without JavaScript. */}
      <a
        href={pictureUrl(picture, 'jpg') ?? '#gallery'}
        aria-haspopup="dialog"
        onClick={onOpen}
        onPointerEnter={loadViewer}
        onFocus={loadViewer}
        // Rendered only when near the viewport: otherwise browsers would load its pictures from far away.
        className="group relative block aspect-3/2 grow overflow-hidden rounded-card bg-linen [content-visibility:auto]"
      >
        <Picture
          picture={picture}
          alt={alt}
          sizes={
            isLarge
              ? '(min-width: 72rem) 42rem, (min-width: 64rem) 62vw, 94vw'
              : '(min-width: 72rem) 21rem, (min-width: 64rem) 31vw, 47vw'
          }
          className="absolute inset-0 size-full object-cover transition-transform duration-300 group-hover:scale-[1.02]"
        />
      </a>
      <figcaption className="mt-2 text-[0.9375rem] leading-snug wrap-anywhere text-muted">
        {caption}
      </figcaption>
    </figure>
  )
}
