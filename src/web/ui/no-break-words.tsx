import type { ReactNode } from 'react'
import { noBreak } from '../../domain/common/no-break.ts'

/** Keeps dates, and an email, on one line if they fit; a longer email breaks before its @ (LOOK-98). */
export function noBreakWords(text: ReactNode): ReactNode {
  if (typeof text !== 'string') return text
  return noBreak(text)
    .split(/(\S+)@(\S+)/)
    .map((word, at, all) =>
      at % 3 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a heading keep their order.
        <span key={at} className="inline-block max-w-full wrap-anywhere">
          {word}
          <wbr />@{all[at + 1]}
        </span>
      ) : (
        at % 3 === 0 && word
      ),
    )
}
