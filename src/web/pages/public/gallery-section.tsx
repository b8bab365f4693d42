import { lazy, type MouseEvent, Suspense, useRef, useState } from 'react'
import { gallery, picturesAreRenders, rendersNote } from '../../content/gallery.ts'
import { classNames } from '../../ui/class-names.ts'
import { Picture, pictureUrl } from './picture.tsx'
import { Section } from './section.tsx'

const loadViewer = () => import('./gallery-viewer.tsx')
const GalleryViewer = lazy(() => loadViewer().then(module => ({ default: module.GalleryViewer })))

/** Places of the two pictures that take four cells of the wide grid. */
const large: Record<number, string> = {
  0: 'col-span-2 lg:row-span-2',
  9: 'col-span-2 lg:row-span-2 lg:col-start-2',
}

export function GallerySection() {
  const [shown, setShown] = useState<number>()
  const opener = useRef<HTMLElement>(null)

  const open = (event: MouseEvent<HTMLElement>, index: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    opener.current = event.currentTarget
    setShown(index)
  }

  return (
    <Section id="gallery" eyebrow="Gallery" title="Have a look around" className="bg-shell">
      <ul className="grid grid-flow-dense grid-cols-2 gap-x-3 gap-y-5 sm:gap-x-5 sm:gap-y-7 lg:grid-cols-3">
        {gallery.map(({ picture, caption, alt }, index) => (
          <li key={picture} className={large[index]}>
            <figure className="flex h-full flex-col">
              {/* A link to the picture itself, for browsers without the script. */}
              <a
                href={pictureUrl(picture, 'jpg')}
                aria-haspopup="dialog"
                onClick={event => open(event, index)}
                onPointerEnter={loadViewer}
                onFocus={loadViewer}
                // Skipped until it comes near, with its pictures, which a browser would fetch from far away.
                className="group relative block aspect-3/2 grow overflow-hidden rounded-card bg-linen [content-visibility:auto]"
              >
                <Picture
                  name={picture}
                  alt={alt}
                  sizes={
                    large[index]
                      ? '(min-width: 72rem) 42rem, (min-width: 64rem) 62vw, 94vw'
                      : '(min-width: 72rem) 21rem, (min-width: 64rem) 31vw, 47vw'
                  }
                  className={classNames(
                    'absolute inset-0 size-full object-cover transition-transform duration-300 group-hover:scale-[1.02]',
                  )}
                />
              </a>
              <figcaption className="mt-2 text-[0.9375rem] leading-snug text-muted">{caption}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
      {picturesAreRenders && <p className="mt-8 text-sm text-muted">{rendersNote}</p>}
      {shown !== undefined && (
        <Suspense>
          <GalleryViewer
            pictures={gallery}
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
