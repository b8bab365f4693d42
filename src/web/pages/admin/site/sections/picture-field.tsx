import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { FieldNotes, labelClass, RequiredMark, useFieldIds } from '../../../../ui/field.tsx'
import { PictureChooser } from './picture-chooser.tsx'
import { useLibraryPicture } from './picture-library.ts'
import { PictureThumbnail } from './picture-thumbnail.tsx'
import { errorOf, idOf, isNeeded, nameOfPath, type Part } from './section-part.ts'

type PictureFieldProps = {
  part: Part<string | null>
  /** Called when another picture was chosen; by default only the field changes. */
  onChoose?: (id: string) => void
  required?: boolean
  /** Pictures that are already in the gallery. */
  taken?: readonly string[]
}

/** A single picture, chosen in a dialog. */
export function PictureField({
  part,
  onChoose = part.onChange,
  required = isNeeded(part),
  taken = [],
}: PictureFieldProps) {
  const [choosing, setChoosing] = useState(false)
  const picture = useLibraryPicture(part.value)
  const isGone = part.value !== null && picture === null
  const error = errorOf(part) ?? (isGone ? 'This picture does not exist.' : undefined)
  const ids = useFieldIds(idOf(part), { error })
  const label = nameOfPath(part.path)
  return (
    <fieldset aria-labelledby={`${ids.id}-label`} className="grid min-w-0 gap-1.5">
      <span id={`${ids.id}-label`} className={labelClass}>
        {label}
        {required && <RequiredMark />}
      </span>
      <div className="flex flex-wrap items-center gap-4">
        {part.value !== null && (
          <PictureThumbnail picture={picture} className="w-40 shrink-0 rounded-control" />
        )}
        <div className="grid min-w-0 justify-items-start gap-2">
          {picture && <span className="max-w-full truncate">{picture.name}</span>}
          <Button
            variant="secondary"
            size="sm"
            className="pointer-coarse:min-h-11"
            {...ids.control}
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            {part.value === null ? 'Choose a picture' : 'Choose another'}
          </Button>
        </div>
      </div>
      <FieldNotes ids={ids} error={error} />
      {choosing && (
        <PictureChooser
          title="Choose a Picture"
          taken={taken.filter(id => id !== part.value)}
          chosen={part.value === null ? [] : [part.value]}
          onClose={() => setChoosing(false)}
          onChoose={([id]) => id !== undefined && id !== part.value && onChoose(id)}
        />
      )}
    </fieldset>
  )
}
