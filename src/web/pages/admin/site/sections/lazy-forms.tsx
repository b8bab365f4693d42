import { type ComponentProps, lazy, Suspense } from 'react'

const Field = lazy(() => import('./picture-field.tsx').then(m => ({ default: m.PictureField })))
const Gallery = lazy(() => import('./gallery-form.tsx').then(m => ({ default: m.GalleryForm })))

const Reviews = lazy(() => import('./reviews-form.tsx').then(m => ({ default: m.ReviewsForm })))

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

export const ReviewsForm = (props: ComponentProps<typeof Reviews>) => (
  <Suspense>
    <Reviews {...props} />
  </Suspense>
)
