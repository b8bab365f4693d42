import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { PictureView } from '../../../domain/content/content-views.ts'
import { Picture } from '../../features/content/picture.tsx'

/**
 * The waves behind the contact page. The video plays only if the visitor has not asked for reduced motion, and can be
 * paused. Until it plays, and if it never does, the poster below is visible. The video loads only when it is going to
 * play, after the page has loaded.
 */
export function BackgroundVideo({ poster }: { poster: PictureView }) {
  const video = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)

  useEffect(() => {
    const lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)')
    const follow = () => (lessMotion.matches ? video.current?.pause() : play(video.current))
    const start = () => {
      follow()
      lessMotion.addEventListener('change', follow)
    }
    if (document.readyState === 'complete') start()
    else window.addEventListener('load', start)
    return () => {
      window.removeEventListener('load', start)
      lessMotion.removeEventListener('change', follow)
    }
  }, [])

  return (
    <>
      <BackgroundPicture picture={poster} />
      <video
        ref={video}
        muted
        loop
        playsInline
        preload="none"
        aria-hidden
        tabIndex={-1}
        width={1280}
        height={720}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        // A browser without JavaScript would show a black video with controls.
        className="absolute inset-0 -z-10 size-full object-cover noscript:hidden"
      >
        <source src="/contact-loop.webm" type="video/webm" />
        <source src="/contact-loop.mp4" type="video/mp4" />
      </video>
      <button
        type="button"
        onClick={() => (playing ? video.current?.pause() : play(video.current))}
        className="absolute right-3 bottom-3 inline-flex min-h-11 items-center gap-2 rounded-control bg-navy-dark/80 px-4 text-[0.9375rem] font-semibold text-white hover:bg-navy-dark focus-visible:outline-white noscript:hidden"
      >
        {playing ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        {playing ? 'Pause video' : 'Play video'}
      </button>
    </>
  )
}

/** A picture that covers its container. */
export function BackgroundPicture({ picture }: { picture: PictureView }) {
  return (
    <Picture
      picture={picture}
      alt=""
      sizes="max(100vw, 178vh)"
      loading="eager"
      fetchPriority="high"
      className="absolute inset-0 -z-10 size-full object-cover"
    />
  )
}

/** A browser in power- or data-saving mode may refuse to play; then the poster stays. */
function play(video: HTMLVideoElement | null) {
  video?.play().catch(() => undefined)
}
