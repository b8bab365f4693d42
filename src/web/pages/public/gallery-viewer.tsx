import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { bestFormat, Picture, pictureSrcSet } from '../../features/content/picture.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

type GalleryPicture = HomeView['gallery']['pictures'][number]

type GalleryViewerProps = {
  pictures: readonly GalleryPicture[]
  /** The index of the current picture. */
  shown: number
  onShow: (index: number) => void
  onClose: () => void
  returnFocusTo: RefObject<HTMLElement | null>
}

const swipePx = 48
const sizes = '100vw'

/** Shows one picture full-window. Arrow keys, Home, End and swipes switch pictures, Escape closes the viewer. */
export function GalleryViewer({ pictures, shown, onShow, onClose, returnFocusTo }: GalleryViewerProps) {
  const picture = pictures[shown]
  const step = (by: number) => onShow(neighbour(shown, by, pictures.length))
  const swipes = useSwipes(step)
  usePreloadedNeighbours(pictures, shown)
  if (!picture) return null

  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event.key, shown, pictures.length)
    if (target === undefined) return
    event.preventDefault()
    onShow(target)
  }
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-navy-dark" />
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={event => {
            event.preventDefault()
            returnFocusTo.current?.focus()
          }}
          className="fixed inset-0 z-50 flex animate-fade flex-col text-white focus:outline-none"
        >
          <Dialog.Title className="sr-only">Pictures of the condo</Dialog.Title>
          <div className="flex items-center justify-between px-3 py-2 sm:px-5">
            <p className="px-2 text-[0.9375rem] tabular-nums">
              {shown + 1} of {pictures.length}
            </p>
            <Dialog.Close asChild>
              <IconButton label="Close" className={controlClass}>
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className="relative min-h-0 grow touch-pinch-zoom select-none" {...swipes}>
            <Picture
              key={shown}
              picture={picture.picture}
              alt={picture.alt}
              sizes={sizes}
              loading="eager"
              draggable={false}
              className="absolute inset-0 m-auto size-auto max-h-full max-w-full animate-fade sm:inset-x-16 sm:max-w-[calc(100%-8rem)]"
            />
          </div>
          <Steps caption={picture.caption} onStep={step} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Steps({ caption, onStep }: { caption: string; onStep: (by: number) => void }) {
  return (
    <div className="flex items-center gap-2 px-3 py-3 sm:px-5 sm:py-4">
      <IconButton label="Previous picture" onClick={() => onStep(-1)} className={controlClass}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <p aria-live="polite" className="min-h-12 grow content-center text-center text-lg leading-snug">
        {caption}
      </p>
      <IconButton label="Next picture" onClick={() => onStep(1)} className={controlClass}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  )
}

const controlClass = 'size-12 bg-white/10 text-white! hover:bg-white/20! focus-visible:outline-white'

/** Pointer handlers for swipes: left shows the next picture, right the previous one. */
function useSwipes(step: (by: number) => void) {
  const start = useRef<{ x: number; y: number }>(null)
  return {
    onPointerDown: (event: PointerEvent) => {
      // A second finger means that the visitor zooms.
      start.current = event.isPrimary ? { x: event.clientX, y: event.clientY } : null
    },
    onPointerUp: (event: PointerEvent) => {
      const from = start.current
      start.current = null
      if (!from) return
      const dx = event.clientX - from.x
      if (Math.abs(dx) > swipePx && Math.abs(dx) > Math.abs(event.clientY - from.y)) step(dx < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}

/** Wraps around: after the last picture comes the first. */
function neighbour(shown: number, by: number, count: number): number {
  return (shown + by + count) % count
}

function targetOf(key: string, shown: number, count: number): number | undefined {
  if (key === 'ArrowLeft') return neighbour(shown, -1, count)
  if (key === 'ArrowRight') return neighbour(shown, 1, count)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
}

function usePreloadedNeighbours(pictures: readonly GalleryPicture[], shown: number) {
  useEffect(() => {
    for (const by of [1, -1]) {
      const next = pictures[neighbour(shown, by, pictures.length)]?.picture
      const best = next && bestFormat(next)
      if (!best) continue
      const image = new Image()
      image.sizes = sizes
      image.srcset = pictureSrcSet(next, best.format)
    }
  }, [pictures, shown])
}
