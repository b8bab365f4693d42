import type { ComponentProps } from 'react'
import type { PictureView } from '../../../domain/content-views.ts'
import { classNames } from '../../ui/class-names.ts'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'height' | 'alt'> & {
  picture: PictureView
  alt: string
  /** How wide it is shown, as in the attribute of `<img>`. */
  sizes: string
  /** Another cut for narrow windows. */
  narrow?: { picture: PictureView; media: string; sizes: string }
}

/** A picture in the best format and size that the browser takes; its blurred placeholder keeps the place. */
export function Picture({
  picture,
  alt,
  sizes,
  narrow,
  loading = 'lazy',
  className,
  style,
  ...props
}: PictureProps) {
  return (
    <picture className="contents">
      {narrow && <Sources {...narrow} />}
      <Sources picture={picture} sizes={sizes} />
      <img
        // Without any copy yet, the placeholder is all there is.
        src={pictureUrl(picture, 'jpg') ?? picture.placeholder}
        alt={alt}
        width={picture.width}
        height={picture.height}
        loading={loading}
        // What is waited for comes with the first paint, all else never holds one up.
        decoding={loading === 'eager' ? 'sync' : 'async'}
        className={classNames('bg-cover bg-center', className)}
        style={{ backgroundImage: `url("${picture.placeholder}")`, ...style }}
        {...props}
      />
    </picture>
  )
}

function Sources({ picture, sizes, media }: { picture: PictureView; sizes: string; media?: string }) {
  const { width, height } = picture
  return sourceFormats.map(format => {
    if (widthsOf(picture, format).length === 0) return null
    return (
      <source
        key={format}
        type={typeOf[format]}
        srcSet={pictureSrcSet(picture, format)}
        sizes={sizes}
        media={media ?? (format === 'avif' && hasSmallAvif(picture) ? smallWindow : undefined)}
        width={width}
        height={height}
      />
    )
  })
}

type Format = 'avif' | 'webp' | 'jpg'
const sourceFormats = ['avif', 'webp', 'jpg'] as const
const typeOf = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' }
/** The windows that the small AVIF copies are for: a large one would show them enlarged. */
export const smallWindow = '(max-width: 640px)'
const hasSmallAvif = ({ avif, webp }: PictureView) => (avif.at(-1) ?? 0) < (webp.at(-1) ?? 0)

/** All sizes of a picture in one format, for a `srcset` attribute. */
export function pictureSrcSet(picture: PictureView, format: Format): string {
  return widthsOf(picture, format)
    .map(width => `${picture.path}-${width}.${format} ${width}w`)
    .join(', ')
}

/** The best format that there are copies in for all windows, with its type; undefined while there are none. */
export function bestFormat(picture: PictureView): { format: Format; type: string } | undefined {
  const format = sourceFormats.find(
    each => widthsOf(picture, each).length > 0 && !(each === 'avif' && hasSmallAvif(picture)),
  )
  return format && { format, type: typeOf[format] }
}

/** The largest copy of a picture; undefined while there is none. */
export function pictureUrl(picture: PictureView, format: Format): string | undefined {
  const width = widthsOf(picture, format).at(-1)
  return width === undefined ? undefined : `${picture.path}-${width}.${format}`
}

const widthsOf = (picture: PictureView, format: Format): readonly number[] =>
  picture[format === 'jpg' ? 'jpeg' : format]

/** Whether a picture came with the site. */
export const isShipped = ({ path }: PictureView): boolean => path.startsWith('/pictures/')
