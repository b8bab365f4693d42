import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

type FormRowProps = { noun: string; index: number; onRemove: () => void; children: ReactNode }

/** One of several entries in a form, such as a guest or a payment, with its number and a Remove button. */
export function FormRow({ noun, index, onRemove, children }: FormRowProps) {
  const name = `${noun} ${index + 1}`
  return (
    <fieldset className="w-full rounded-control border border-line bg-canvas/60 p-4 pt-2 sm:p-5 sm:pt-2">
      <legend className="sr-only">{name}</legend>
      <div className="mb-1 flex items-center justify-between">
        <span aria-hidden className="font-semibold text-navy">
          {name}
        </span>
        <IconButton label={`Remove ${name.toLowerCase()}`} tone="danger" className="-mr-2" onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      {children}
    </fieldset>
  )
}
