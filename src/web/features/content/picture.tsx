import type { ComponentProps } from 'react'
import type { PictureView } from '../../../domain/content/content-views.ts'
import { classNames } from '../../ui/class-names.ts'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'height' | 'alt'> & {
  picture: PictureView
  alt: string
  /** The displayed width, in the format of the `sizes` attribute of `<img>`. */
  sizes: string
  /** Another crop for narrow windows. */
  narrow?: { picture: PictureView; media: string; sizes: string }
}

/** A picture in the best format and size for the browser; a blurred placeholder reserves its space. */
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
        // While there is no copy yet, only the placeholder is shown.
        src={pictureUrl(picture, 'jpg') ?? picture.placeholder}
        alt={alt}
        width={picture.width}
        height={picture.height}
        loading={loading}
        // Eager pictures appear with the first paint; other pictures never delay a paint.
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
/** The windows for which the small AVIF copies are used; larger windows would show them enlarged. */
export const smallWindow = '(max-width: 640px)'
const hasSmallAvif = ({ avif, webp }: PictureView) => (avif.at(-1) ?? 0) < (webp.at(-1) ?? 0)

/** All sizes of a picture in one format, for a `srcset` attribute. */
export function pictureSrcSet(picture: PictureView, format: Format): string {
  return widthsOf(picture, format)
    .map(width => `${picture.path}-${width}.${format} ${width}w`)
    .join(', ')
}

/** The best format that has copies for all window sizes, with its type; undefined if there is none. */
export function bestFormat(picture: PictureView): { format: Format; type: string } | undefined {
  const format = sourceFormats.find(
    each => widthsOf(picture, each).length > 0 && !(each === 'avif' && hasSmallAvif(picture)),
  )
  return format && { format, type: typeOf[format] }
}

/** The URL of a picture's largest copy; undefined if there is none. */
export function pictureUrl(picture: PictureView, format: Format): string | undefined {
  const width = widthsOf(picture, format).at(-1)
  return width === undefined ? undefined : `${picture.path}-${width}.${format}`
}

const widthsOf = (picture: PictureView, format: Format): readonly number[] =>
  picture[format === 'jpg' ? 'jpeg' : format]

/** Whether a picture ships with the site. */
export const isShipped = ({ path }: PictureView): boolean => path.startsWith('/pictures/')
