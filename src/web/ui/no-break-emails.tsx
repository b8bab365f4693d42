import type { ReactNode } from 'react'

/** Keeps an email on one line if it fits; a longer one breaks before its @ (LOOK-98). */
export function noBreakEmails(text: ReactNode): ReactNode {
  if (typeof text !== 'string' || !text.includes('@')) return text
  return text.split(' ').flatMap((word, at) => {
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
