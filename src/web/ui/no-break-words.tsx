import type { ReactNode } from 'react'
import { noBreak } from '../../domain/common/no-break.ts'

/** Keeps dates, and an email, on one line if they fit; a longer email breaks before its @ (LOOK-98). */
export function noBreakWords(text: ReactNode): ReactNode {
  if (typeof text !== 'string') return text
  const words = noBreak(text)
  if (!words.includes('@')) return words
  return words.split(' ').flatMap((word, at) => {
    const shown = word.includes('@') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a heading keep their order.
      <span key={at} className="inline-block max-w-full wrap-anywhere">
        {word.split('@').flatMap((part, i) => (i === 0 ? [part] : [<wbr key="at" />, `@${part}`]))}
      </span>
    ) : (
      word
    )
    return at === 0 ? [shown] : [' ', shown]
  })
}
