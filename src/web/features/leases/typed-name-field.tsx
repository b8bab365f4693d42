import { type Ref, useEffect, useState } from 'react'
import { TextField } from '../../ui/text-field.tsx'
import { renderTypedSignature, typedImage } from './typed-signature.ts'

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
