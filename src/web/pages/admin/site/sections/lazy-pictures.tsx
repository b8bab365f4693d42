import { type ComponentProps, lazy, Suspense } from 'react'

const Field = lazy(() => import('./picture-field.tsx').then(m => ({ default: m.PictureField })))
const Gallery = lazy(() => import('./gallery-form.tsx').then(m => ({ default: m.GalleryForm })))
const Chooser = lazy(() => import('./picture-chooser.tsx').then(m => ({ default: m.PictureChooser })))

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

/** The dialog with all pictures; its script is loaded when it opens. */
export const PictureChooser = (props: ComponentProps<typeof Chooser>) => (
  <Suspense fallback={null}>
    <Chooser {...props} />
  </Suspense>
)
