import { type ComponentProps, lazy, Suspense } from 'react'

const Chooser = lazy(() => import('./picture-chooser.tsx').then(m => ({ default: m.PictureChooser })))

/** The dialog with all pictures; its script is loaded when it opens. */
export const PictureChooser = (props: ComponentProps<typeof Chooser>) => (
  <Suspense fallback={null}>
    <Chooser {...props} />
  </Suspense>
)
