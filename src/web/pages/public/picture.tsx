import type { ComponentProps } from 'react'
import { pictures } from '../../content/pictures.gen.ts'
import { classNames } from '../../ui/class-names.ts'

export type PictureName = keyof typeof pictures

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'height' | 'alt'> & {
  name: PictureName
  alt: string
  /** How wide it is shown, as in the attribute of `<img>`. */
  sizes: string
  /** Another cut for narrow windows. */
  narrow?: { name: PictureName; media: string; sizes: string }
}

/** A picture in the best format and size that the browser takes; its blurred placeholder keeps the place. */
export function Picture({ name, alt, sizes, narrow, loading = 'lazy', className, ...props }: PictureProps) {
  const { width, height, placeholder } = pictures[name]
  return (
    <picture className="contents">
      {narrow && <Sources {...narrow} />}
      <Sources name={name} sizes={sizes} />
      <img
        src={pictureUrl(name, 'jpg')}
        alt={alt}
        width={width}
        height={height}
        loading={loading}
        // What is waited for comes with the first paint, all else never holds one up.
        decoding={loading === 'eager' ? 'sync' : 'async'}
        className={classNames('bg-cover bg-center', className)}
        style={{ backgroundImage: `url("${placeholder}")` }}
        {...props}
      />
    </picture>
  )
}

function Sources({ name, sizes, media }: { name: PictureName; sizes: string; media?: string }) {
  const { width, height } = pictures[name]
  const shared = { sizes, media, width, height }
  return (
    <>
      <source type="image/avif" srcSet={pictureSrcSet(name, 'avif')} {...shared} />
      <source type="image/webp" srcSet={pictureSrcSet(name, 'webp')} {...shared} />
      <source type="image/jpeg" srcSet={pictureSrcSet(name, 'jpg')} {...shared} />
    </>
  )
}

type Format = 'avif' | 'webp' | 'jpg'

/** All sizes of a picture in one format, for a `srcset` attribute. */
export function pictureSrcSet(name: PictureName, format: Format): string {
  return widthsOf(name, format)
    .map(width => `${pictures[name].path}-${width}.${format} ${width}w`)
    .join(', ')
}

/** The largest copy of a picture. */
export function pictureUrl(name: PictureName, format: Format): string {
  return `${pictures[name].path}-${Math.max(...widthsOf(name, format))}.${format}`
}

function widthsOf(name: PictureName, format: Format): readonly number[] {
  return format === 'jpg' ? pictures[name].jpegWidths : pictures[name].widths
}
