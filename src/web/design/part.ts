import type { ReactNode } from 'react'

export type Part = {
  /** Its file in `src/web/ui`, without the extension. */
  file: string
  /** What the component is for, in one or two sentences. */
  about: string
  /**
   * Each state with its name. In the screenshots, an element with `data-force` or `data-force-child` is drawn as
   * hovered or focused.
   */
  states: readonly (readonly [string, ReactNode])[]
  /** Stacks the states at full page width. */
  wide?: boolean
}
