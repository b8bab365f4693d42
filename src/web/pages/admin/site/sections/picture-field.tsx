import { useState } from 'react'
import { contentMessages } from '../../../../../domain/content/content-text.ts'
import { Button } from '../../../../ui/button.tsx'
import { FieldNotes, labelClass, RequiredMark, useFieldIds } from '../../../../ui/field.tsx'
import { errorOf, type FieldBinding, idOf, isRequiredToPublish, labelOfPath } from './field-binding.ts'
import { PictureChooser } from './lazy-picture-chooser.tsx'
import { PictureDrop } from './picture-drop.tsx'
import { PictureThumbnail, useLibraryPicture } from './picture-library.tsx'

type PictureFieldProps = {
  field: FieldBinding<string | null>
  /** Called when another picture was chosen; by default only the field changes. */
  onChoose?: (id: string) => void
  required?: boolean
  hint?: string
  /** Pictures that are already in the gallery. */
  taken?: readonly string[]
}

/** A single picture: uploaded where it stands, or chosen in a dialog. */
export function PictureField({
  field,
  onChoose = field.onChange,
  required = isRequiredToPublish(field),
  hint,
  taken = [],
}: PictureFieldProps) {
  const [choosing, setChoosing] = useState(false)
  const picture = useLibraryPicture(field.value)
  const isGone = field.value !== null && picture === null
  const error = errorOf(field) ?? (isGone ? 'This picture does not exist.' : undefined)
  const ids = useFieldIds(idOf(field), { error, hint })
  const label = labelOfPath(field.path)
  const choose = (id: string) => {
    if (id === field.value) return undefined
    if (taken.includes(id)) return contentMessages.alreadyInGallery
    onChoose(id)
    return undefined
  }
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
          <PictureDrop
            label={field.value === null ? 'Upload a picture' : 'Upload another'}
            onUploaded={choose}
          />
          <Button
            variant="secondary"
            size="sm"
            className="pointer-coarse:min-h-11"
            {...ids.control}
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            Choose from your pictures
          </Button>
        </div>
      </div>
      <FieldNotes ids={ids} hint={hint} error={error} />
      {choosing && (
        <PictureChooser
          taken={taken.filter(id => id !== field.value)}
          chosen={field.value === null ? [] : [field.value]}
          onClose={() => setChoosing(false)}
          onChoose={([id]) => id !== undefined && choose(id)}
        />
      )}
    </fieldset>
  )
}
