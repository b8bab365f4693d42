import { type ComponentProps, lazy, Suspense } from 'react'

const Field = lazy(() => import('./picture-field.tsx').then(m => ({ default: m.PictureField })))
const Gallery = lazy(() => import('./gallery-form.tsx').then(m => ({ default: m.GalleryForm })))

/** A single picture; its script is loaded when its form opens. */
export const PictureField = (props: ComponentProps<typeof Field>) => (
  <Suspense fallback={<div className="h-34" />}>
    <Field {...props} />
  </Suspense>
)

export const GalleryForm = (props: ComponentProps<typeof Gallery>) => (
  <Suspense>
    <Gallery {...props} />
  </Suspense>
)
