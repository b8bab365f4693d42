import type { ReactNode } from 'react'

export type Part = {
  /** Its file in `src/web/ui`, without the extension. */
  file: string
  /** What it is for, in a sentence or two. */
  about: string
  /**
   * Each state with its name. In the pictures, what has `data-force`, or is in `data-force-child`, is drawn as pointed
   * at or focused.
   */
  states: readonly (readonly [string, ReactNode])[]
  /** One state below another, as wide as the page. */
  wide?: boolean
}
