import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { FieldNotes, labelClass, RequiredMark, useFieldIds } from '../../../../ui/field.tsx'
import { errorOf, type FieldBinding, idOf, isRequiredToPublish, labelOfPath } from './field-binding.ts'
import { PictureChooser } from './picture-chooser.tsx'
import { useLibraryPicture } from './picture-library.ts'
import { PictureThumbnail } from './picture-thumbnail.tsx'

type PictureFieldProps = {
  field: FieldBinding<string | null>
  /** Called when another picture was chosen; by default only the field changes. */
  onChoose?: (id: string) => void
  required?: boolean
  /** Pictures that are already in the gallery. */
  taken?: readonly string[]
}

/** A single picture, chosen in a dialog. */
export function PictureField({
  field,
  onChoose = field.onChange,
  required = isRequiredToPublish(field),
  taken = [],
}: PictureFieldProps) {
  const [choosing, setChoosing] = useState(false)
  const picture = useLibraryPicture(field.value)
  const isGone = field.value !== null && picture === null
  const error = errorOf(field) ?? (isGone ? 'This picture does not exist.' : undefined)
  const ids = useFieldIds(idOf(field), { error })
  const label = labelOfPath(field.path)
  return (
    <fieldset aria-labelledby={`${ids.id}-label`} className="grid min-w-0 gap-1.5">
      <span id={`${ids.id}-label`} className={labelClass}>
        {label}
        {required && <RequiredMark />}
      </span>
      <div className="flex flex-wrap items-center gap-4">
        {field.value !== null && (
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
            {field.value === null ? 'Choose a picture' : 'Choose another'}
          </Button>
        </div>
      </div>
      <FieldNotes ids={ids} error={error} />
      {choosing && (
        <PictureChooser
          title="Choose a Picture"
          taken={taken.filter(id => id !== field.value)}
          chosen={field.value === null ? [] : [field.value]}
          onClose={() => setChoosing(false)}
          onChoose={([id]) => id !== undefined && id !== field.value && onChoose(id)}
        />
      )}
    </fieldset>
  )
}
