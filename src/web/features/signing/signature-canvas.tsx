import { Eraser } from 'lucide-react'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react'
import SignaturePad from 'signature_pad'
import { maxSignatureWidth } from '../../../domain/leases/lease-signing.ts'
import { Button } from '../../ui/button.tsx'
import { Field, focusWithError } from '../../ui/field.tsx'

const heightPx = 180
const lineWidthPx = 2.5
/** Sharp enough for print; a higher ratio only makes the image larger. */
const maxRatio = 2
const ink = '#15273e'

export type SignatureCanvasHandle = {
  /** The drawing as a PNG data URL; '' if nothing is drawn. */
  read: () => string
  focus: () => void
}

type SignatureCanvasProps = {
  ref: Ref<SignatureCanvasHandle>
  label: string
  error: string | undefined
  onDrawn: () => void
}

export function SignatureCanvas({ ref, label, error, onDrawn }: SignatureCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useSignaturePad(canvas, onDrawn)
  useImperativeHandle(ref, () => ({
    read: () => (!pad.current || pad.current.isEmpty() ? '' : pad.current.toDataURL('image/png')),
    focus: () => focusWithError(canvas.current),
  }))
  return (
    <Field label={label} error={error}>
      {control => (
        <div className="relative">
          <canvas
            {...control}
            ref={canvas}
            tabIndex={-1}
            role="img"
            aria-label={`${label}: drawing area`}
            style={{ height: heightPx }}
            className="block w-full touch-none rounded-control border border-line-strong bg-white aria-invalid:border-red"
          />
          <span
            aria-hidden
            className="pointer-events-none absolute inset-x-5 bottom-10 border-b border-dashed border-line-strong"
          />
          <Button
            variant="ghost"
            size="sm"
            className="absolute top-1.5 right-1.5"
            aria-label={`Clear: ${label}`}
            onClick={() => pad.current?.clear()}
          >
            <Eraser aria-hidden />
            Clear
          </Button>
        </div>
      )}
    </Field>
  )
}

function useSignaturePad(canvas: RefObject<HTMLCanvasElement | null>, onDrawn: () => void) {
  const pad = useRef<SignaturePad>(null)
  const drawn = useRef(onDrawn)
  drawn.current = onDrawn
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const made = new SignaturePad(element, {
      // signature_pad takes the radius of its round pen as the width.
      minWidth: lineWidthPx / 2,
      maxWidth: lineWidthPx / 2,
      dotSize: lineWidthPx / 2,
      penColor: ink,
    })
    pad.current = made
    made.addEventListener('endStroke', () => drawn.current())
    const resize = () => {
      const ratio = Math.min(window.devicePixelRatio, maxRatio, maxSignatureWidth / element.clientWidth)
      const width = Math.floor(element.clientWidth * ratio)
      if (!(width > 0) || width === element.width) return
      // Resizing clears a canvas, for example when a phone is rotated, so the strokes are redrawn.
      const strokes = made.toData()
      element.width = width
      element.height = Math.floor(heightPx * ratio)
      element.getContext('2d')?.scale(ratio, ratio)
      made.fromData(strokes)
    }
    resize()
    const observer = new ResizeObserver(resize)
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.off()
      pad.current = null
    }
  }, [canvas])
  return pad
}
