import notoItalicUrl from '@expo-google-fonts/noto-serif/400Regular_Italic/NotoSerif_400Regular_Italic.ttf?url'
import latinExtendedUrl from '@fontsource-variable/fraunces/files/fraunces-latin-ext-opsz-italic.woff2?url'
import latinUrl from '@fontsource-variable/fraunces/files/fraunces-latin-opsz-italic.woff2?url'
import { type Ref, useEffect, useState } from 'react'
import { TextField } from '../../ui/text-field.tsx'

type TypedNameFieldProps = {
  ref: Ref<HTMLInputElement>
  label: string
  autoComplete: string
  value: string
  onChange: (name: string) => void
  error: string | undefined
}

/** A name field with a preview of the signature drawn from the name. */
export function TypedNameField({ value, onChange, ...props }: TypedNameFieldProps) {
  const image = useSignatureImage(value.trim())
  return (
    <div className="grid gap-3">
      <TextField
        {...props}
        required
        autoCapitalize="words"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
      {value.trim() && (
        <div
          style={{ aspectRatio: `${typedImage.width} / ${typedImage.height}` }}
          className="w-full max-w-96 rounded-control border border-line bg-white"
        >
          {image && <img src={image} alt={`Signature: ${value.trim()}`} className="size-full" />}
        </div>
      )}
    </div>
  )
}

function useSignatureImage(name: string): string | undefined {
  const [image, setImage] = useState<string>()
  useEffect(() => {
    if (!name) return setImage(undefined)
    let isCurrent = true
    renderTypedSignature(name).then(
      made => isCurrent && setImage(made),
      error => console.warn('The signature could not be drawn:', error),
    )
    return () => {
      isCurrent = false
    }
  }, [name])
  return image
}

/** Sizes of the signature image, in pixels. */
const typedImage = { width: 600, height: 200, maxNameWidth: 540, fontPx: 72, minFontPx: 42 } as const

const ink = '#15273e'
const family = 'Signature'
/** The font files and the characters that each is loaded for; the last one has Greek and Cyrillic. */
const faces = [
  [
    latinUrl,
    'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+2000-206F',
  ],
  [
    latinExtendedUrl,
    'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+02C7-02CC, U+1E00-1E9F, U+1EF2-1EFF',
  ],
  [notoItalicUrl, 'U+0370-052F, U+1C80-1C8F, U+1F00-1FFF, U+2DE0-2DFF, U+A640-A69F'],
] as const

/**
 * The largest font size in pixels at which a typed name fits the image, or else the smallest allowed size. `widthAt`
 * measures the name at a given size.
 */
export function fittingFontPx(widthAt: (fontPx: number) => number): number {
  const { fontPx, minFontPx, maxNameWidth } = typedImage
  const sizes = Array.from({ length: fontPx - minFontPx + 1 }, (_, step) => fontPx - step)
  return sizes.find(size => widthAt(size) <= maxNameWidth) ?? minFontPx
}

/** Draws a name as a signature on a transparent background; returns a PNG data URL. */
export async function renderTypedSignature(name: string): Promise<string> {
  await loadFace(name)
  const canvas = document.createElement('canvas')
  canvas.width = typedImage.width
  canvas.height = typedImage.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw')
  const setSize = (fontPx: number) => {
    context.font = `italic 400 ${fontPx}px ${family}, Georgia, serif`
  }
  setSize(
    fittingFontPx(fontPx => {
      setSize(fontPx)
      return context.measureText(name).width
    }),
  )
  context.fillStyle = ink
  context.textAlign = 'center'
  context.textBaseline = 'alphabetic'
  const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = context.measureText(name)
  const baseline = (typedImage.height + above - below) / 2
  // A name that is too long for the smallest font size is compressed horizontally, never cut off.
  context.fillText(name, typedImage.width / 2, baseline, typedImage.maxNameWidth)
  return canvas.toDataURL('image/png')
}

/** Loads the typeface on first use, and only the files with the name's characters. */
async function loadFace(name: string): Promise<void> {
  if (![...document.fonts].some(face => face.family === family)) {
    for (const [url, unicodeRange] of faces)
      document.fonts.add(
        new FontFace(family, `url(${url})`, { style: 'italic', weight: '100 900', unicodeRange }),
      )
  }
  // If the typeface cannot be loaded, the name is drawn in the fallback font.
  await document.fonts
    .load(`italic 400 ${typedImage.fontPx}px ${family}`, name)
    .catch(error => console.warn('The signature typeface could not be loaded:', error))
}
